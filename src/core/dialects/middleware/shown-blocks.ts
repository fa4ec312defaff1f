import type { LanguageModelV3StreamPart, SharedV3ProviderMetadata } from '../../model/index.js'
import { type RestoreStream, restoreStream } from './restore-stream.js'

/** Writes text or reasoning as parts of a stream: a start, pieces, an end. */
export interface ShownBlocks {
  show(text: string): LanguageModelV3StreamPart[]
  /** Ends the open block, if there is one. White space at its end is kept for text that may still follow. */
  close(metadata?: SharedV3ProviderMetadata): LanguageModelV3StreamPart[]
  /** From here on white space at the edges has nothing to do with the words: something was taken out. */
  trim(): void
  /** White space that belongs to the words before it. */
  rest(): LanguageModelV3StreamPart[]
  hasShown(): boolean
  /** Forgets what was shown: what follows starts anew. */
  restart(): void
}

export function shownBlocks(kind: 'text' | 'reasoning', restores: boolean, nextId: () => string): ShownBlocks {
  let id: string | undefined
  let space = ''
  let hasShown = false
  let isTrimmed = false
  let restore: RestoreStream | undefined = restores ? restoreStream() : undefined

  function write(text: string): LanguageModelV3StreamPart[] {
    if (text === '') return []
    const parts: LanguageModelV3StreamPart[] = []
    if (id === undefined) {
      id = nextId()
      parts.push({ type: `${kind}-start`, id })
    }
    hasShown = true
    parts.push({ type: `${kind}-delta`, id, delta: text })
    return parts
  }

  function show(text: string): LanguageModelV3StreamPart[] {
    const end = wordsEnd(text)
    if (end === 0) {
      space += text
      return []
    }
    const words = space + text.slice(0, end)
    space = text.slice(end)
    return write(isTrimmed && !hasShown ? words.trimStart() : words)
  }

  return {
    show: (text) => show(restore ? restore.push(text) : text),
    close(metadata) {
      const rest = restore ? show(restore.end()) : []
      if (id === undefined) return rest
      const end: LanguageModelV3StreamPart = {
        type: `${kind}-end`,
        id,
        ...(metadata && { providerMetadata: metadata }),
      }
      id = undefined
      return [...rest, end]
    },
    trim() {
      isTrimmed = true
    },
    rest() {
      const words = restore ? show(restore.end()) : []
      const tail = isTrimmed ? '' : space
      space = ''
      return [...words, ...write(tail)]
    },
    hasShown: () => hasShown,
    restart() {
      hasShown = false
      space = ''
      restore = restores ? restoreStream() : undefined
    },
  }
}

/** Where the white space at the end begins. */
function wordsEnd(text: string): number {
  let end = text.length
  while (end > 0 && /\s/.test(text[end - 1])) end--
  return end
}
