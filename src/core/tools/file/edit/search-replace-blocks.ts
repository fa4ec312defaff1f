import { Failure } from '../../../errors.js'
import type { WantedText } from './find-text.js'

const opening = /^(?:<{5,9}|-{5,9})[ \t]*SEARCH>?[ \t]*$/
const middle = /^={5,9}[ \t]*$/
const closing = /^(?:>{5,9}|\+{5,9})[ \t]*REPLACE[ \t]*$/

/** Each is looked for in the whole note. */
const mostBlocks = 500

/** Reads SEARCH/REPLACE blocks; words and fences around them are passed over, half a block is not. */
export function searchReplaceBlocks(diff: string): WantedText[] {
  const blocks: WantedText[] = []
  const lines = diff.replaceAll('\r\n', '\n').split('\n')
  let at = 0
  while (at < lines.length) {
    const line = lines[at]
    if (middle.test(line) || closing.test(line)) throw malformed(`line ${at + 1} is outside a block`)
    if (!opening.test(line)) {
      at++
      continue
    }
    const name = `block ${blocks.length + 1}`
    if (blocks.length === mostBlocks) throw tooMany()
    let close = at + 1
    while (close < lines.length && !closing.test(lines[close]) && !opening.test(lines[close])) close++
    if (close === lines.length || opening.test(lines[close])) throw malformed(`${name} has no ">>>>>>> REPLACE" line`)
    const inside = lines.slice(at + 1, close)
    const borders = inside.flatMap((each, index) => (middle.test(each) ? [index] : []))
    if (borders.length === 0) throw malformed(`${name} has no "=======" line`)
    if (borders.length > 1) {
      throw malformed(
        `${name} has ${borders.length} "=======" lines`,
        'Use old_text and new_text for text with such a line.',
      )
    }
    const old = wholeLines(inside.slice(0, borders[0]))
    if (old.trim() === '') throw malformed(`${name} searches for nothing`)
    blocks.push({ old, fresh: wholeLines(inside.slice(borders[0] + 1)), isLines: true, name })
    at = close + 1
  }
  if (blocks.length === 0) throw malformed('it has no "<<<<<<< SEARCH" line')
  return blocks
}

function wholeLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}

function tooMany(): Failure {
  return new Failure('too-large', `The diff has more than ${mostBlocks} blocks.`, {
    hint: 'Send them in several calls, or write the whole note with write_note.',
  })
}

function malformed(reason: string, hint?: string): Failure {
  return new Failure('invalid-input', `The diff cannot be read: ${reason}.`, {
    hint:
      hint ??
      'Write "<<<<<<< SEARCH", the old lines, "=======", the new lines, ">>>>>>> REPLACE", each on its own line.',
  })
}
