import type { NotePath } from '../../../core/vault/note-path.js'
import type { StoredLink } from '../../../core/vault-index/index-store.js'
import { hashText } from './hash-row.js'
import { parsedRow } from './json-rows.js'
import { bucketCount } from './seals.js'

/** A link as its table keeps it. `text` is what is hashed, the id within it. */
export interface LinkRow {
  id: number
  link: StoredLink
  hash: number
}

export function linkRow(id: number, link: StoredLink): LinkRow & { text: string } {
  const text = linkText(link)
  return { id, link, text, hash: hashText(`${id} ${text}`) }
}

function linkText({ source, target, text, kind, raw, line, subpath, written, key }: StoredLink): string {
  return JSON.stringify([source, target, text, kind, raw, line, subpath, written, key])
}

type PackedLink = [
  source: NotePath,
  target: NotePath | null,
  text: string,
  kind: StoredLink['kind'],
  raw: string,
  line: number,
  subpath: string | null,
  written: string,
  key: string,
]

/** From `id || ' ' || row`. */
export function linkRowFrom(line: string): LinkRow {
  const end = line.indexOf(' ')
  const [source, target, text, kind, raw, at, subpath, written, key] = parsedRow<PackedLink>(line.slice(end + 1))
  const link: StoredLink = { source, target, key, raw, text, kind, line: at, written }
  if (subpath !== null) link.subpath = subpath
  return { id: Number(line.slice(0, end)), link, hash: hashText(line) }
}

export const bucketOf = (text: string): number => hashText(text) % bucketCount

export const unresolvedBucket = bucketCount
const externalBucket = bucketCount + 1

export function targetBucket({ target, kind }: StoredLink): number {
  if (target !== null) return bucketOf(target)
  return kind === 'external' ? externalBucket : unresolvedBucket
}

/** Both buckets of a link in one number; each half has an index. */
export const bothBuckets = (ofTarget: number, ofKey: number): number => ofTarget * 65536 + ofKey
export const byTarget = 'links WHERE buckets / 65536 = ?'
export const byKey = 'links WHERE buckets % 65536 = ?'
