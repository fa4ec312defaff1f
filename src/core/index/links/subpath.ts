import type { ScannedNote } from '../../markdown/index.js'
import type { LinkReading } from '../../vault/index.js'
import type { LinkForm } from './resolve-link.js'

/** The headings and blocks of a note, to which links can lead. */
export type Outline = Pick<ScannedNote, 'headings' | 'blocks'>

/** The heading or block that the subpath of a link names: its position in the outline. */
export type Anchor =
  /** `chain` are the positions of all headings that the subpath names, from the top down; the last one is meant. */
  { kind: 'heading'; index: number; chain: number[] } | { kind: 'block'; index: number }

/** True if the part after `#` is a slug, as in `#my-heading`: for Markdown links outside Obsidian vaults. */
export const usesSlugs = (reading: LinkReading, form: LinkForm): boolean =>
  reading === 'markdown' && form === 'markdown'

/**
 * Finds the anchor of a subpath as Obsidian does: `#A#B` is the first heading B that comes after the first heading A
 * and is deeper. Case and punctuation do not count.
 */
export function findAnchor(outline: Outline, subpath: string, isSlug: boolean): Anchor | undefined {
  const parts = subpath.split('#').filter((part) => part !== '')
  const [first = ''] = parts
  if (parts.length === 1 && first.startsWith('^')) {
    const id = first.slice(1).trim().toLowerCase()
    const index = outline.blocks.findIndex((block) => block.id.toLowerCase() === id)
    return index < 0 ? undefined : { kind: 'block', index }
  }
  if (isSlug && parts.length === 1) {
    const index = slugsOf(outline).indexOf(first.toLowerCase())
    if (index >= 0) return { kind: 'heading', index, chain: [index] }
  }
  const chain: number[] = []
  let level = 0
  const names = parts.map(foldHeading)
  for (const [index, heading] of outline.headings.entries()) {
    const name = names[chain.length]
    if (name === undefined) break
    if (heading.level <= level || foldHeading(heading.text) !== name) continue
    chain.push(index)
    level = heading.level
  }
  const index = chain.at(-1)
  return index === undefined || chain.length < parts.length ? undefined : { kind: 'heading', index, chain }
}

/**
 * A subpath that leads to a heading, or undefined if its name and those of the headings above it do not tell it from
 * another. `chain` are the headings that the author named, where they are now.
 */
export function headingSubpath(
  outline: Outline,
  index: number,
  isSlug: boolean,
  chain: readonly number[] = [],
): string | undefined {
  const leadsHere = (subpath: string) => {
    const anchor = findAnchor(outline, subpath, isSlug)
    return anchor?.kind === 'heading' && anchor.index === index
  }
  if (isSlug) {
    const slug = `#${slugsOf(outline)[index] ?? ''}`
    return slug !== '#' && leadsHere(slug) ? slug : undefined
  }
  const above = headingsAbove(outline, index)
  const chains = [chain, [index], ...above.map((each) => [each, index]), [...above].reverse().concat(index)]
  return chains
    .filter((each) => each.at(-1) === index)
    .map((each) => each.map((at) => `#${headingInLink(outline.headings[at]?.text ?? '')}`).join(''))
    .find(leadsHere)
}

/** The headings of the sections around a heading, the nearest first. */
function headingsAbove({ headings }: Outline, index: number): number[] {
  const above: number[] = []
  let level = headings[index]?.level ?? 0
  for (let at = index - 1; at >= 0; at--) {
    const heading = headings[at]
    if (heading === undefined || heading.level >= level) continue
    above.push(at)
    level = heading.level
  }
  return above
}

/** A heading's text in a link, without the characters that would end the link. */
export const headingInLink = (text: string): string =>
  text
    .replace(/[:#|^\\\r\n]|%%|\[\[|\]\]|[[\]]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

const foldHeading = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/[!"#$%&()*+,.:;<=>?@^`{|}~/[\]\\\r\n]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()

/** The slugs of a note's headings as GitHub makes them; a repeated one gets a number. */
function slugsOf({ headings }: Outline): string[] {
  const seen = new Map<string, number>()
  return headings.map(({ text }) => {
    const plain = text.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const slug = plain.replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '').replaceAll(' ', '-')
    const count = seen.get(slug) ?? 0
    seen.set(slug, count + 1)
    return count === 0 ? slug : `${slug}-${count}`
  })
}
