import { restoreNeutralised } from '../writing/neutralise.js'

/** Takes the backslashes that neutralising added out of text as it arrives. */
export interface RestoreStream {
  push(text: string): string
  /** What was still held back. */
  end(): string
}

/** More than the longest marker behind its first character. */
const lookAhead = 40
/** Longer than what can stand before the backslash. */
const lookBack = 16

/** Only a backslash behind the beginning of a marker waits for what follows; all other text passes at once. */
export function restoreStream(): RestoreStream {
  let before = ''
  let held = ''

  function pass(text: string): string {
    const shown = restoreNeutralised(before + text).slice(before.length)
    // A backslash that was shown is settled: it must not be taken out when it is looked at again.
    before = (before + shown).slice(-lookBack).replace(/^[\s\S]*\\/, '')
    return shown
  }

  return {
    push(text) {
      const all = held + text
      const cut = openEnd(before, all)
      held = all.slice(cut)
      return cut === 0 ? '' : pass(all.slice(0, cut))
    },
    end() {
      const rest = held
      held = ''
      return rest === '' ? '' : pass(rest)
    },
  }
}

/** Where text begins that cannot be judged yet. */
function openEnd(before: string, text: string): number {
  const from = Math.max(0, text.length - lookAhead)
  let at = text.indexOf('\\', from)
  // A row of backslashes is judged by what comes behind it.
  while (at > 0 && text[at - 1] === '\\') at--
  for (; at !== -1; at = text.indexOf('\\', at)) {
    if (mayBegin.test((before + text.slice(Math.max(0, at - lookBack), at)).slice(-lookBack))) return at
    while (text[at] === '\\') at++
  }
  return text.length
}

const mayBegin = /(?:[<[\]]|functools|action|to|assistant|\n\nhuman)$/i
