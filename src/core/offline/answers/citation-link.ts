/** A link to a place in the vault that Obsidian and the check of citations follow. */
export function citationLink(path: string, heading?: string): string {
  const place = heading === undefined || isMarkedUp.test(heading) ? '' : headingInLink(heading)
  if (!/[[\]|#^\\\n]/.test(path)) return `[[${path.replace(/\.md$/i, '')}${place && `#${place}`}]]`
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '')
  const target = encoded(path) + (place && `#${encoded(place)}`)
  return `[${name.replace(/[[\]\\|\n]/g, ' ').trim() || 'note'}](${target})`
}

/** A heading with links or code in it makes a link nobody can read; the note is named without it. */
const isMarkedUp = /\]\(|\[\[|[`<>*|]|:\/\//

/** Marks a link cannot hold count as spaces, as Obsidian compares headings. */
function headingInLink(heading: string): string {
  return heading
    .replace(/[#^|[\]\\:\n]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

function encoded(text: string): string {
  const parts = text.split('/').map((part) => {
    // Half a character cannot be encoded, and no file is called so.
    const whole = part.replace(/[\ud800-\udfff]/gu, '\ufffd')
    return encodeURIComponent(whole).replace(/[()]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)
  })
  return parts.join('/')
}
