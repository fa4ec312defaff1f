import type { Texts } from './planned-set.js'

/** The number that a note of the start says of itself. */
export function numberOf(text: string): string | undefined {
  return text.match(/^# Note (n\d+) about/m)?.[1]
}

/** The links of a text, each with the number of the note it means. */
export function linksIn(text: string): { target: string; number: string }[] {
  return [...text.matchAll(/\[\[([^\]|#]+)[^\]]*\]\] for (n\d+)/g)].map(([, target, number]) => ({ target, number }))
}

/** The path of each numbered note, without numbers that occur twice. */
export function placesOf(notes: Texts): Map<string, string> {
  const places = new Map<string, string>()
  const twice = new Set<string>()
  for (const [path, text] of notes) {
    const number = numberOf(text)
    if (number === undefined) continue
    if (places.has(number)) twice.add(number)
    places.set(number, path)
  }
  for (const number of twice) places.delete(number)
  return places
}

/** Whether a link as it is written leads to a path, in a vault where no two notes share a name. */
export function leadsTo(target: string, path: string): boolean {
  return `/${path.toLowerCase()}`.endsWith(`/${target.toLowerCase().replace(/\.md$/, '')}.md`)
}
