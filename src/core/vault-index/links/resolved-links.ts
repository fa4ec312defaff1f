import type { NoteLink } from '../../markdown/index.js'
import type { LinkReading, NotePath } from '../../vault/index.js'
import type { StoredLink } from '../index-store.js'
import type { FileNames } from './file-names.js'
import { linkKey } from './link-key.js'
import { formOf, resolveLink } from './resolve-link.js'

/** A note's links as the index keeps them. */
export function resolvedLinks(names: FileNames, source: NotePath, links: readonly NoteLink[]): StoredLink[] {
  return links.map((each) => {
    const link = linkAs(names.reading, each)
    const isExternal = link.kind === 'external'
    const key = isExternal ? '' : linkKey(link.target)
    return {
      source,
      target: isExternal ? null : resolveLink(names, source, link.target, formOf(link.raw), key),
      key,
      raw: link.raw,
      text: link.display ?? (link.target || (link.subpath ?? '')),
      ...(link.subpath !== undefined && { subpath: link.subpath }),
      kind: link.kind,
      line: link.line,
      written: link.target,
    }
  })
}

/** In plain Markdown a destination is a URL: what stands after `?` is no part of the path. */
export function linkAs(reading: LinkReading, link: NoteLink): NoteLink {
  return reading === 'markdown' && link.beforeQuery !== undefined ? { ...link, ...link.beforeQuery } : link
}
