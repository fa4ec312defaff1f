import type { Key, Keyboard } from './keyboard.js'

export interface KeyQuestion {
  /** The letters and digits that are answers. */
  letters: string
  signal?: AbortSignal
  /** The person was writing something else when the question came up. */
  isTyping?: boolean
  /** Takes what was not meant as an answer. */
  onStray?(text: string): void
}

/** A letter of the question's; '' for Enter alone. */
export type KeyAnswer = { kind: 'key'; key: string } | { kind: 'interrupt' | 'escape' | 'end' }

/** Remembers when the last question was answered: the Enter of someone who presses it out of habit is no answer to the next. */
export type OneKey = (keys: Keyboard, question: KeyQuestion) => Promise<KeyAnswer>

/** Keys that follow each other faster are a word that someone writes, and not an answer. */
const wordMs = 120
/** Who was writing has looked up when nothing was pressed for so long. */
const quietMs = 700
/** An Enter this soon after an answer belongs to it. */
const enterMs = 600

/**
 * Waits for one key that answers a question, without Enter. What someone was writing when it came up must not answer it:
 * a letter counts when none follows at once, and after a pause where the person was writing.
 */
export function oneKey(): OneKey {
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
