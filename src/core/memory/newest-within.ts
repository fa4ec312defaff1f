import { estimateTokens } from '../text/index.js'
import type { Remembered } from './memory-lines.js'

/** The newest memories that fit into so many tokens, newest first. */
export function newestWithin(memories: readonly Remembered[], tokens: number): Remembered[] {
  const kept: Remembered[] = []
  let left = tokens
  for (const memory of [...memories].reverse()) {
    left -= estimateTokens(`- ${memory.text}\n`)
    if (left < 0) return kept
    kept.push(memory)
  }
  return kept
}
