import { crc32 } from 'node:zlib'
import type { NotePath } from '../../../core/vault/index.js'
import { IndexCorrupt, type StoredLink } from '../../../core/vault-index/index.js'
import { keyBucket, targetBucket, unresolvedBucket } from './link-buckets.js'

/** All links of a note as they are kept: in one text, since a row for each would cost more than what is in it. */
export interface PackedLinks {
  text: string
  /** Where the note is looked for, each once. */
  buckets: number[]
  count: number
  unresolved: number
}

type PackedLink = [
  target: NotePath | null,
  text: string,
  kind: StoredLink['kind'],
  raw: string,
  line: number,
  subpath: string | null,
  written: string,
  key: string,
]

/** undefined where there are none. */
export function packLinks(source: NotePath, links: readonly StoredLink[]): PackedLinks | undefined {
  if (links.length === 0) return undefined
  const list: unknown[] = [source]
  const buckets = new Set<number>()
  let unresolved = 0
  for (const { target, text, kind, raw, line, subpath, written, key } of links) {
    list.push([target, text, kind, raw, line, subpath, written, key])
    buckets.add(keyBucket(key))
    if (target !== null) buckets.add(targetBucket(target))
    else if (kind !== 'external') unresolved++
  }
  if (unresolved > 0) buckets.add(unresolvedBucket)
  return { text: JSON.stringify(list), buckets: [...buckets], count: links.length, unresolved }
}

/** What is hashed and read: a note's links with its id. */
export const listLine = `'[' || id || ',' || links || ']'`
/** Never 0, which means that there are no links. */
const hashLine = (line: string): number => crc32(line) || 1
export const hashList = (id: number, text: string): number => hashLine(`[${id},${text}]`)

export interface LinkList {
  id: number
  links: StoredLink[]
}

/**
 * Reads lines of notes with their links, each of which must have the hash that its note is sealed with. Only those that
 * may hold what is wanted are parsed.
 */
export function openLists(
  lines: string,
  hashOf: (id: number) => number,
  mayBeWanted: (line: string) => boolean = () => true,
): LinkList[] {
  return (lines === '' ? [] : lines.split('\n')).map((line) => {
    const id = Number(line.slice(1, line.indexOf(',')))
    if (hashLine(line) !== hashOf(id)) throw new IndexCorrupt('The links of a note are damaged')
    if (!mayBeWanted(line)) return { id, links: [] }
    const [, [source, ...links]] = JSON.parse(line) as [number, [NotePath, ...PackedLink[]]]
    return { id, links: links.map((link) => openLink(source, link)) }
  })
}

/** Looking for more texts than this takes longer than parsing. */
const fewTexts = 4

/** Whether one of these texts may be somewhere in a line. */
export function mayHoldAny(texts: readonly string[]): (line: string) => boolean {
  const written = texts.map((text) => JSON.stringify(text))
  return (line) => written.length > fewTexts || written.some((text) => line.includes(text))
}

function openLink(source: NotePath, packed: PackedLink): StoredLink {
  const [target, text, kind, raw, line, subpath, written, key] = packed
  const link: StoredLink = { source, target, key, raw, text, kind, line, written }
  if (subpath !== null) link.subpath = subpath
  return link
}
