import { listHunks } from '../../../vault/index.js'

/** A stretch of a text. */
export interface TextPlace {
  start: number
  end: number
}

/** Those places of a planned text that stand like this in the part of it that was accepted. */
export function standingPlaces<Place extends TextPlace>(
  planned: string,
  part: string,
  places: readonly Place[],
): Place[] {
  const refused = listHunks(encoded(part), encoded(planned)).map(({ newLine, added }) => {
    return { first: newLine, last: newLine + added.length - 1, isGap: added.length === 0 }
  })
  return places.filter(({ start, end }) => {
    const [first, last] = [lineAt(planned, start), lineAt(planned, Math.max(start, end - 1))]
    // Lines that were to go and are still there show as a gap before a line.
    return !refused.some(
      (hunk) => first <= (hunk.isGap ? hunk.first : hunk.last) && hunk.first <= last + (hunk.isGap ? 1 : 0),
    )
  })
}

const encoded = (text: string): Uint8Array => new TextEncoder().encode(text)

function lineAt(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line++
  return line
}
