import { charactersFor, estimateTokens } from '../../text/index.js'
import { cutText } from '../answer/index.js'

interface Passage {
  chunk: string
}

/** With less than this a passage says nothing; then there are fewer of them. */
const leastTokens = 140

/** Fewer and shorter passages, the best first, where all of them would take more than there is room for. */
export function fitPassages<Hit extends Passage>(
  hits: readonly Hit[],
  room?: number,
): { hits: Hit[]; remark?: string } {
  if (room === undefined || estimateTokens(JSON.stringify(hits)) <= room) return { hits: [...hits] }
  const count = Math.max(1, Math.min(hits.length, Math.floor(room / leastTokens)))
  let left = room
  const fitted = hits.slice(0, count).map((hit, at) => {
    const around = estimateTokens(JSON.stringify({ ...hit, chunk: '' }))
    // What one leaves unused goes to those behind it.
    const share = Math.max(0, Math.floor(left / (count - at)) - around)
    const end = charactersFor(hit.chunk, share)
    const chunk = end < hit.chunk.length ? `${cutText(hit.chunk, end).trimEnd()}…` : hit.chunk
    left -= around + estimateTokens(chunk)
    return { ...hit, chunk }
  })
  const shown = count < hits.length ? `the first ${count} of ${hits.length}, ` : ''
  return { hits: fitted, remark: `Shortened to fit: ${shown}with … where the rest is in the note (read_note).` }
}
