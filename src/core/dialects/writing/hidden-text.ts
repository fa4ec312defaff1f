export interface HiddenText {
  /** Characters of the Unicode tag block, which spell text that nobody sees. */
  tagCharacters: number
  /** Variation selectors in rows, which can carry bytes. */
  variationSelectors: number
  zeroWidth: number
  /** Characters that turn the direction of writing. */
  directionMarks: number
}

// Three flags of regions are written with tag characters; they are seen, so they stay.
const flags =
  /🏴(?:\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F})/gu
const invisible = /[\u{E0000}-\u{E007F}]+|[\u{E0100}-\u{E01EF}\u{FE00}-\u{FE0F}]{2,}/gu
const anyInvisible = /[\u{E0000}-\u{E01EF}]|[\uFE00-\uFE0F]/u
const zeroWidth = /[\u200B-\u200D\u2060\u180E\uFEFF]/g
const directions = /[\u202A-\u202E\u2066-\u2069]/g

/** Replaces text that only a machine reads by a note in its place. */
export function withoutHiddenText(text: string): string {
  if (!anyInvisible.test(text)) return text
  return betweenFlags(text, (part) =>
    part.replace(invisible, (found) => {
      const count = [...found].length
      return `[${count} hidden ${count === 1 ? 'character' : 'characters'} removed]`
    }),
  )
}

/** What a text hides from the person who looks at it; undefined when nothing. */
export function findHiddenText(text: string): HiddenText | undefined {
  const found = { tagCharacters: 0, variationSelectors: 0, zeroWidth: 0, directionMarks: 0 }
  if (anyInvisible.test(text)) {
    betweenFlags(text, (part) => {
      for (const [run] of part.matchAll(invisible)) {
        const isTag = run.codePointAt(0)! < 0xe0080 && run.codePointAt(0)! >= 0xe0000
        found[isTag ? 'tagCharacters' : 'variationSelectors'] += [...run].length
      }
      return part
    })
  }
  found.zeroWidth = text.match(zeroWidth)?.length ?? 0
  found.directionMarks = text.match(directions)?.length ?? 0
  return Object.values(found).some((count) => count > 0) ? found : undefined
}

function betweenFlags(text: string, change: (part: string) => string): string {
  const kept = text.match(flags) ?? []
  return text
    .split(flags)
    .map((part, index) => change(part) + (kept[index] ?? ''))
    .join('')
}
