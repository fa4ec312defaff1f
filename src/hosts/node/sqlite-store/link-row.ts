import type { NotePath } from '../../../core/vault/index.js'
import type { StoredLink } from '../../../core/vault-index/index.js'
import { hashText } from './hash-row.js'
import { parsedLines } from './json-rows.js'
import { bucketCount } from './seals.js'

export interface LinkRow {
  id: number
  link: StoredLink
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

export function packedLink({ source, target, text, kind, raw, line, subpath, written, key }: StoredLink): string {
  return JSON.stringify([source, target, text, kind, raw, line, subpath, written, key])
}

/** What is hashed and read: a link's row with its id. */
export const linkLine = `'[' || id || ',' || row || ']'`
export const hashLink = (id: number, packed: string): number => hashText(`[${id},${packed}]`)

export function linkRows(lines: string): LinkRow[] {
  return parsedLines<[number, PackedLink]>(lines).map(([id, packed]) => {
    const [source, target, text, kind, raw, line, subpath, written, key] = packed
    const link: StoredLink = { source, target, key, raw, text, kind, line, written }
    if (subpath !== null) link.subpath = subpath
    return { id, link }
  })
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
