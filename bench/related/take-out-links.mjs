import { createHash } from 'node:crypto'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A note of fewer words has nothing to be judged by. */
const leastWords = 10

/**
 * Copies a vault and takes all links to one note out of every note that has such links: one that does not link back, since
 * two linked notes are related already. Answers what was lost. `keepText` leaves the words of a link where it stood.
 */
export async function takeOutLinks(index, from, to, keepText) {
  cpSync(from, to, { recursive: true, filter: (path) => !path.includes('/.git') })
  const lost = []
  for (const { path } of await index.notes()) {
    const links = await index.linksFrom(path)
    const back = new Set((await index.linksTo(path)).map(({ source }) => source))
    const targets = [...new Set(links.map(({ target }) => target))].filter(
      (target) => target?.endsWith('.md') && target !== path && !back.has(target),
    )
    if (targets.length === 0) continue
    const target = targets.sort((a, b) => (numberOf(path + a) < numberOf(path + b) ? -1 : 1))[0]
    const file = join(to, path)
    const text = withoutLinks(
      readFileSync(file, 'utf8'),
      links.filter((link) => link.target === target),
      keepText,
    )
    if (text === undefined || (text.match(/[\p{L}\p{N}]+/gu) ?? []).length < leastWords) continue
    writeFileSync(file, text)
    lost.push({ path, target, isOdd: numberOf(path) % 2 === 1 })
  }
  return lost
}

/** undefined where a link does not stand in the line it should. */
function withoutLinks(text, links, keepText) {
  const lines = text.split('\n')
  for (const { line, raw, text: words } of links) {
    const at = lines[line - 1]?.indexOf(raw) ?? -1
    if (at === -1) return undefined
    const left = keepText ? words : ''
    lines[line - 1] = lines[line - 1].slice(0, at) + left + lines[line - 1].slice(at + raw.length)
  }
  return lines.join('\n')
}

/** The same on every machine, and without a pattern. */
const numberOf = (text) => createHash('sha256').update(text).digest().readUInt32BE()
