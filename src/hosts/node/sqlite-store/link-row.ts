import type { NotePath } from '../../../core/vault/note-path.js'
import type { StoredLink } from '../../../core/vault-index/index-store.js'
import { hashText } from './hash-row.js'
import { bucketCount } from './seals.js'
import { wellFormed } from './well-formed.js'

/** A link's columns in the order they are hashed. */
export type LinkRow = [
  id: number,
  source: string,
  target: string | null,
  text: string,
  kind: string,
  raw: string,
  written: string,
  subpath: string | null,
  line: number,
  key: string,
]

export const linkColumns = 'id, source_path, target_path, link_text, link_type, raw, written, subpath, line, link_key'

export const storedLinkColumns = [...linkColumns.split(', '), 'target_bucket', 'key_bucket']

export function linkRow(id: number, link: StoredLink): LinkRow {
  return [
    id,
    wellFormed(link.source),
    link.target === null ? null : wellFormed(link.target),
    wellFormed(link.text),
    link.kind,
    wellFormed(link.raw),
    wellFormed(link.written),
    link.subpath === undefined ? null : wellFormed(link.subpath),
    link.line,
    wellFormed(link.key),
  ]
}

export function linkFrom(row: LinkRow): StoredLink {
  const [, source, target, text, kind, raw, written, subpath, line, key] = row
  return {
    source: source as NotePath,
    target: target as NotePath | null,
    key,
    raw,
    text,
    ...(subpath !== null && { subpath }),
    kind: kind as StoredLink['kind'],
    line,
    written,
  }
}

export const bucketOf = (text: string): number => hashText(text) % bucketCount

export const unresolvedBucket = bucketCount
const externalBucket = bucketCount + 1

export function targetBucket([, , target, , kind]: LinkRow): number {
  if (target !== null) return bucketOf(target)
  return kind === 'external' ? externalBucket : unresolvedBucket
}

export const keyBucket = (row: LinkRow): number => bucketOf(row[9])
