const length = 240
const lead = 60

/**
 * About 240 characters of a passage around its first hit, on one line. Words are compared by their first five letters,
 * folded, so that a stemmed hit is found too; without one it is the passage's beginning.
 */
export function preview(content: string, query: string): string {
  const text = content.replace(/\s+/g, ' ').trim()
  if (text.length <= length) return text
  const at = firstHit(text, query)
  const start = at <= lead ? 0 : wordStart(text, at - lead)
  const end = Math.min(text.length, start + length)
  return `${start > 0 ? '…' : ''}${text.slice(start, cutBefore(text, end)).trim()}${end < text.length ? '…' : ''}`
}

function firstHit(text: string, query: string): number {
  const haystack = fold(text)
  if (haystack.length !== text.length) return 0
  const words = fold(query).match(/[\p{L}\p{N}]+/gu) ?? []
  let best = -1
  for (const word of words.sort((a, b) => b.length - a.length)) {
    if (word.length < 3 && best !== -1) break
    const at = haystack.indexOf(word.slice(0, 5))
    if (at !== -1 && (best === -1 || at < best)) best = at
    if (best !== -1 && word.length < 5) break
  }
  return Math.max(best, 0)
}

const fold = (text: string): string => text.toLowerCase()

function wordStart(text: string, from: number): number {
  const space = text.indexOf(' ', from)
  return space === -1 || space > from + 30 ? avoidHalfPair(text, from) : space + 1
}

function cutBefore(text: string, end: number): number {
  if (end === text.length) return end
  const space = text.lastIndexOf(' ', end)
  return space > end - 30 ? space : avoidHalfPair(text, end)
}

/** Never cuts a surrogate pair in two. */
function avoidHalfPair(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at
}
