import type { Keyboard } from './keyboard.js'

/** Keeps what is typed while something else is going on, as the beginning of the next input. Esc and Ctrl-C stop that. */
export function typedAhead(keys: Pick<Keyboard, 'listen'>, stopIt: () => void): { end(): string } {
  let typed = ''
  const stop = keys.listen((key) => {
    if (key.name === 'escape' || (key.ctrl && key.name === 'c')) stopIt()
    else if (key.name === 'backspace') typed = typed.slice(0, -1)
    else typed += key.text
  })
  return {
    end() {
      stop()
      return typed
    },
  }
}
