import type { StoredNote } from '../index/index.js'
import { closestNames } from '../text/index.js'
import type { LinkReading } from '../vault/index.js'

/** True if a link's `#Heading`, `#A#B` or `#^block` is in the note, as Obsidian looks it up. */
export function hasSubpath({ headings, blocks }: SubpathNote, subpath: string, reading: LinkReading): boolean {
  const block = blockOf(subpath)
  if (block !== undefined) return blocks.some(({ id }) => id.toLowerCase() === block)
  if (reading === 'markdown' && hasAnchor(headings, subpath.slice(1))) return true
  const way = subpath.split('#').map(foldHeading).filter(Boolean)
  let [found, level] = [0, 0]
  for (const heading of headings) {
    if (found === way.length) break
    if (heading.level <= level || foldHeading(heading.text) !== way[found]) continue
    level = heading.level
    found++
  }
  return found === way.length
}

type SubpathNote = Pick<StoredNote, 'headings' | 'blocks'>

/** The headings or blocks nearest to one that is missing, as subpaths; several if they are equally near. */
export function nearSubpaths({ headings, blocks }: SubpathNote, subpath: string, reading: LinkReading): string[] {
  const block = blockOf(subpath)
  if (block !== undefined) return closestNames(blocks.map(({ id }) => id))(block).map((id) => `#^${id}`)
  const wanted = subpath.split('#').at(-1) ?? ''
  const isPlain = reading === 'markdown'
  const fold = isPlain ? anchorOf : foldHeading
  const texts = new Map(headings.map(({ text }) => [fold(text), text]))
  return closestNames([...texts.keys()])(fold(wanted)).map(
    (name) => `#${isPlain ? name : headingInLink(texts.get(name) ?? '')}`,
  )
}

export const blockOf = (subpath: string): string | undefined => /#\^([^#]+)$/.exec(subpath)?.[1]?.trim().toLowerCase()

/** Obsidian ignores signs and capitals. */
const foldHeading = (text: string): string =>
  text
    .replace(/[!"#$%&()*+,.:;<=>?@^`{|}~/[\]\\\r\n]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .normalize('NFC')
    .toLowerCase()

/** A heading as Obsidian writes it into a link. */
const headingInLink = (text: string): string =>
  text
    .replace(/[:#|^\\\r\n]|%%|\[\[|\]\]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** An anchor that occurs again gets a number. Programs differ in whether signs between blanks leave two dashes. */
function hasAnchor(headings: SubpathNote['headings'], wanted: string): boolean {
  const fold = (anchor: string) => anchor.replace(/-{2,}/g, '-').replace(/^-|-$/g, '')
  const anchor = fold(wanted.toLowerCase())
  const first = anchor.replace(/[-_]\d+$/, '')
  return headings.some(({ text }) => [anchor, first].includes(fold(anchorOf(text))))
}

/** The anchor of a heading in plain Markdown. */
const anchorOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')
