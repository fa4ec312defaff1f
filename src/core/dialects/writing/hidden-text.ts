// Three flags of regions are written with tag characters; they are seen, so they stay.
const flags =
  /🏴(?:\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F})/gu
const invisible = /[\u{E0000}-\u{E007F}]+|[\u{E0100}-\u{E01EF}\u{FE00}-\u{FE0F}]{2,}/gu
const anyInvisible = /[\u{E0000}-\u{E01EF}]|[\uFE00-\uFE0F]/u

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

function betweenFlags(text: string, change: (part: string) => string): string {
  const kept = text.match(flags) ?? []
  return text
    .split(flags)
    .map((part, index) => change(part) + (kept[index] ?? ''))
    .join('')
}
