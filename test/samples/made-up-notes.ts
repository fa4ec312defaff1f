/** Notes of made-up words, used as often as words are, in three scripts, with links, tags and properties; always the same. */
export function madeUpNotes(count: number): { notes: Record<string, string>; queries: string[] } {
  const random = seeded(7)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]
  const words = vocabulary(random)
  // Few words make most of a text: the draw leans to the front.
  const word = (): string => words[Math.floor(words.length * random() ** 3)]
  const phrase = (length: number): string => Array.from({ length }, word).join(' ')
  const han = (length: number): string =>
    Array.from({ length }, () => String.fromCodePoint(0x4e00 + Math.floor(600 * random() ** 2))).join('')
  const titles = Array.from({ length: count }, (_, number) => `${phrase(2)} ${number}`)

  const notes: Record<string, string> = {}
  for (const title of titles) {
    const paragraphs = Array.from({ length: 1 + Math.floor(12 * random() ** 2) }, () => {
      const text = random() < 0.1 ? han(40) : phrase(30 + Math.floor(random() * 50))
      return `${random() < 0.3 ? `## ${phrase(3)}\n\n` : ''}${text} [[${pick(titles)}]] #${word()}.`
    })
    const head = random() < 0.5 ? `---\naliases: [${phrase(2)}]\nstatus: ${word()}\n---\n` : ''
    notes[`${pick(['Work', 'Home/Garden', 'Home/Kitchen', 'Reading'])}/${title}.md`] = head + paragraphs.join('\n\n')
  }
  const texts = Object.values(notes)
  const queries = Array.from({ length: 200 }, (_, number) => {
    if (number % 4 === 0) return pick(titles)
    if (number % 4 === 1) return phrase(2)
    const inNote = pick(texts).match(/[\p{L}]+/gu) ?? []
    const from = Math.floor(random() * Math.max(1, inNote.length - 8))
    return inNote.slice(from, from + (number % 4 === 2 ? 8 : 3)).join(' ')
  })
  return { notes, queries }
}

function vocabulary(random: () => number): string[] {
  const latin = ['ba', 'ne', 'ri', 'to', 'lu', 'mar', 'sen', 'dol', 'ing', 'ver', 'pa', 'ka', 'stro', 'ed', 'ly']
  const cyrillic = ['ра', 'не', 'сто', 'ли', 'вод', 'ка', 'мен', 'ные', 'ти', 'по']
  const made = new Set<string>()
  while (made.size < 12_000) {
    const syllables = random() < 0.8 ? latin : cyrillic
    const length = 2 + Math.floor(random() * 3)
    made.add(Array.from({ length }, () => syllables[Math.floor(random() * syllables.length)]).join(''))
  }
  return [...made]
}

function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
