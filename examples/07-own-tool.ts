// A tool of your own. It says what it takes, what it does and how its answer reads; asking, logging, limits and
// validation are the same as for every other tool.
import { defineTool, openVault } from 'notewright'
import * as z from 'zod'
import { hasResult, modelFrom } from './model-from.js'

const countWords = defineTool({
  name: 'count_words',
  title: 'Count words',
  description: 'Count the words of a note. Use it when someone asks how long a note is.',
  activity: 'Counting words',
  category: 'custom',
  effects: ['reads'],
  needsVault: true,
  input: z.object({ path: z.string().describe('Path or name of the note') }),
  output: z.object({ path: z.string(), words: z.number() }),

  // Names are resolved before anyone is asked, so that rules and the log see the note that is really read.
  async reaches({ path }, { index }) {
    const note = await index.find(path)
    return { notes: [note.path], input: { path: note.path } }
  },

  async run({ path }, { index, vault }) {
    const note = await index.find(path)
    const file = await vault.read(note.path)
    return { path: note.path, words: file?.text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0 }
  },

  render: ({ path, words }) => `${path} has ${words} words.`,
  summary: ({ words }) => `${words} words`,
})

const model = modelFrom((prompt) => {
  if (!hasResult(prompt)) return { call: 'count_words', input: { path: 'tomatoes' } }
  const last = prompt.prompt.at(-1)
  const part = last?.role === 'tool' ? last.content[0] : undefined
  return { say: part?.type === 'tool-result' && part.output.type === 'text' ? part.output.value : 'I do not know.' }
})

const vault = await openVault('Notes', { tools: [countWords] })
const pending = vault.ask('how long is the note on tomatoes?', { model })
for await (const event of pending) {
  if (event.type === 'tool-call') console.log(`${event.activity} (${event.call.name})`)
}
console.log((await pending).text)
await vault.close()
