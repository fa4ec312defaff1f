import { emitKeypressEvents, type Key as NodeKey } from 'node:readline'
import { PassThrough } from 'node:stream'

/** A key as it was pressed; a paste is one key with much text. */
export interface Key {
  /** `return`, `newline`, `escape`, `tab`, `backtab`, `up`, `backspace`, a letter, `paste`, or '' for other text. */
  name: string
  /** What it writes, if anything. */
  text: string
  ctrl: boolean
  alt: boolean
}

export interface Keyboard {
  /** The newest listener hears every key until it is taken off again. */
  listen(listener: (key: Key) => void): () => void
  /** Gives the terminal to another program until that has ended. */
  aside<T>(work: () => Promise<T>): Promise<T>
  close(): void
}

/** How long a lone escape character is waited on, in case it is the beginning of a key's sequence. */
const escapeMs = 50
const pasteOn = '\x1b[?2004h'
const pasteOff = '\x1b[?2004l'

/** Reads a terminal key by key. */
export function keyboard(input: NodeJS.ReadStream, output: NodeJS.WriteStream): Keyboard {
  const listeners: ((key: Key) => void)[] = []
  const decoded = new PassThrough()
  let pasted: string | undefined
  emitKeypressEvents(decoded, { escapeCodeTimeout: escapeMs } as never)
  decoded.on('keypress', (text: string | undefined, key: NodeKey) => {
    if (key.name === 'paste-start') pasted = ''
    else if (key.name === 'paste-end') {
      const whole = pasted ?? ''
      pasted = undefined
      tell({ name: 'paste', text: cleanText(whole), ctrl: false, alt: false })
    } else if (pasted !== undefined) pasted += text ?? key.sequence ?? ''
    else tell(readKey(text, key))
  })
  const tell = (key: Key) => listeners.at(-1)?.(key)
  const take = (bytes: Buffer) => void decoded.write(bytes)
  const restore = () => void output.write(pasteOff)

  function open(): void {
    input.setRawMode(true)
    input.on('data', take)
    input.resume()
    output.write(pasteOn)
  }

  function leave(): void {
    input.off('data', take)
    input.pause()
    input.setRawMode(false)
    restore()
  }

  open()
  process.once('exit', restore)
  return {
    listen(listener) {
      listeners.push(listener)
      return () => {
        const at = listeners.lastIndexOf(listener)
        if (at !== -1) listeners.splice(at, 1)
      }
    },
    async aside(work) {
      leave()
      try {
        return await work()
      } finally {
        open()
      }
    },
    close() {
      process.off('exit', restore)
      leave()
    },
  }
}

/** What Node says about a key, in the few words the editor needs. */
export function readKey(text: string | undefined, key: NodeKey): Key {
  const { sequence = '', ctrl = false, meta: alt = false, shift = false } = key
  const named = (name: string): Key => ({ name, text: '', ctrl, alt })
  // Shift+Enter, from terminals that tell it from Enter.
  if (/^\x1b\[13;\d+u$/.test(sequence)) return { name: 'newline', text: '', ctrl: false, alt: false }
  if (key.name === 'enter' || (key.name === 'return' && alt))
    return { name: 'newline', text: '', ctrl: false, alt: false }
  if (key.name === 'tab') return named(shift ? 'backtab' : 'tab')
  if (key.name === 'escape') return { name: 'escape', text: '', ctrl: false, alt: false }
  const isText = text !== undefined && !ctrl && !alt && cleanText(text) === text && text !== '\n' && text !== '\t'
  return isText ? { name: '', text, ctrl, alt } : named(key.name ?? '')
}

/** Line breaks as one character, tabs kept, every other control character left out. */
export function cleanText(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, '')
}
