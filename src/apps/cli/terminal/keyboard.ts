import { emitKeypressEvents, type Key as NodeKey } from 'node:readline'
import { PassThrough } from 'node:stream'

/** A key press; a paste is one key with much text. */
export interface Key {
  /** `return`, `newline`, `escape`, `tab`, `backtab`, `up`, `backspace`, a letter, `paste`, or '' for other text. */
  name: string
  /** The text the key types, if any. */
  text: string
  ctrl: boolean
  alt: boolean
}

export interface Keyboard {
  /** The newest listener receives every key until it is removed. */
  listen(listener: (key: Key) => void): () => void
  /** Gives the terminal to another program until that has ended. */
  aside<T>(work: () => Promise<T>): Promise<T>
  close(): void
}

/** Delay before a lone escape character counts as Esc: it may start the sequence of another key. */
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

/** Reduces a Node keypress to the fields the editor needs. */
export function readKey(text: string | undefined, key: NodeKey): Key {
  const { sequence = '', ctrl = false, meta: alt = false, shift = false } = key
  const named = (name: string): Key => ({ name, text: '', ctrl, alt })
  // Shift+Enter, from terminals that distinguish it from Enter.
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

/** Keys typed before the keyboard was opened are delivered first. */
const earlierMs = 60

/** A keyboard for a new question: keys typed before it was visible are dropped. */
export async function freshKeyboard(input: NodeJS.ReadStream, output: NodeJS.WriteStream): Promise<Keyboard> {
  const keys = keyboard(input, output)
  const stopListening = keys.listen(() => {})
  await new Promise((resolve) => setTimeout(resolve, earlierMs))
  stopListening()
  return keys
}

export interface KeyQuestion {
  /** The letters and digits that are answers. */
  letters: string
  signal?: AbortSignal
  /** The user was writing something else when the question came up. */
  isTyping?: boolean | undefined
  /** Receives keys that are not an answer. */
  onStray?: ((text: string) => void) | undefined
}

/** A letter of the question's; '' for Enter alone. */
export type KeyAnswer = { kind: 'key'; key: string } | { kind: 'interrupt' | 'escape' | 'end' }

/** Remembers when the last question was answered: an Enter pressed out of habit does not answer the next. */
export type KeyReader = (keys: Keyboard, question: KeyQuestion) => Promise<KeyAnswer>

/** Keys that follow each other faster are typing, not an answer. */
const wordMs = 120
/** After this long without a key the user has probably noticed the question. */
const quietMs = 700
/** An Enter this soon after an answer belongs to it. */
const enterMs = 600

/**
 * Waits for a one-key answer, without Enter. Ignores what the user was typing when the question appeared: a letter
 * counts only if no other follows immediately, and only after a pause in typing.
 */
export function keyReader(): KeyReader {
  let answeredAt = Number.NEGATIVE_INFINITY
  return (keys, { letters, signal, isTyping = false, onStray }) =>
    new Promise((resolve) => {
      let isReady = !isTyping
      let word = ''
      let timer: NodeJS.Timeout | undefined

      function finish(answer: KeyAnswer): void {
        clearTimeout(timer)
        stopListening()
        signal?.removeEventListener('abort', abort)
        answeredAt = answer.kind === 'key' && answer.key !== '' ? performance.now() : Number.NEGATIVE_INFINITY
        resolve(answer)
      }

      function stray(): void {
        if (word !== '') onStray?.(word)
        word = ''
      }

      function settle() {
        const key = word.toLowerCase()
        if (isReady && key.length === 1 && letters.includes(key)) return finish({ kind: 'key', key })
        stray()
        isReady = true
      }

      function enter() {
        if (performance.now() - answeredAt < enterMs) return
        const typed = fullWords[word.toLowerCase()] ?? word.toLowerCase()
        if (!isReady) return
        if (typed === '' || (typed.length === 1 && letters.includes(typed))) return finish({ kind: 'key', key: typed })
        clearTimeout(timer)
        stray()
      }

      function press(key: Key) {
        if (key.ctrl && key.name === 'c') return finish({ kind: 'interrupt' })
        if (key.ctrl && key.name === 'd') return finish({ kind: 'end' })
        if (key.name === 'escape') return finish({ kind: 'escape' })
        if (key.name === 'return' || key.name === 'newline') return enter()
        if (key.name === 'backspace') word = word.slice(0, -1)
        word += key.text
        clearTimeout(timer)
        timer = setTimeout(settle, isReady ? wordMs : quietMs)
      }

      const abort = () => finish({ kind: 'end' })
      const stopListening = keys.listen(press)
      if (isTyping) timer = setTimeout(settle, quietMs)
      signal?.addEventListener('abort', abort, { once: true })
      if (signal?.aborted) abort()
    })
}

const fullWords: Record<string, string> = { yes: 'y', no: 'n' }

/** Collects keys typed during other work, as the beginning of the next input. Esc and Ctrl-C stop that work. */
export function collectTypedAhead(keys: Pick<Keyboard, 'listen'>, stopIt: () => void): { end(): string } {
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
