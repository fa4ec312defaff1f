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
  const texts = new Map(headings.map(({ text }) => [foldHeading(text), text]))
  const wanted = foldHeading(subpath.split('#').at(-1) ?? '')
  const found = closestNames([...texts.keys()])(reading === 'markdown' ? wanted.replaceAll('-', ' ') : wanted)
  return found.map(
    (name) => `#${reading === 'markdown' ? anchorOf(texts.get(name) ?? '') : headingInLink(texts.get(name) ?? '')}`,
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

/** GitHub adds a number to an anchor that occurs again. */
function hasAnchor(headings: SubpathNote['headings'], wanted: string): boolean {
  const anchor = wanted.toLowerCase()
  return headings.some(({ text }) => anchorOf(text) === anchor || anchorOf(text) === anchor.replace(/-\d+$/, ''))
}

/** The anchor of a heading in plain Markdown. */
const anchorOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')
