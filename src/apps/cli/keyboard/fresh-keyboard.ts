import { type Keyboard, keyboard } from './keyboard.js'

/** What was typed before comes at once. */
const earlierMs = 60

/** A keyboard for a question yet to be asked: what was typed before nobody could have seen it is no answer, and dropped. */
export async function freshKeyboard(input: NodeJS.ReadStream, output: NodeJS.WriteStream): Promise<Keyboard> {
  const keys = keyboard(input, output)
  const stopListening = keys.listen(() => {})
  await new Promise((resolve) => setTimeout(resolve, earlierMs))
  stopListening()
  return keys
}
