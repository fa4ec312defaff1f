import { folderOf, isNote, type NotePath } from '../../../vault/index.js'
import type { FileNames } from '../file-names.js'
import { baseName, foldName, withoutNoteExtension } from '../link-key.js'
import { isRelative, joinRelative, resolveLink } from '../resolve-link.js'

export interface Respelling {
  /** The link's path part as it is, decoded. */
  written: string
  /** Markdown links that name a path below their own folder are kept readable for other Markdown programs. */
  isMarkdown: boolean
  source: NotePath
  target: NotePath
  newSource: NotePath
  newTarget: NotePath
}

/** The path part that leads to `newTarget` and looks like what the author wrote; undefined when none does. */
export function respellLink(after: FileNames, link: Respelling): string | undefined {
  const keepsExtension = isNote(link.written.trim())
  const spellings = [...sameStyle(link), link.newTarget].flatMap((path) =>
    isNote(path) && !keepsExtension ? [withoutNoteExtension(path), path] : [path],
  )
  return spellings.find((path) => {
    // Spaces at the ends of a wikilink are not read; a Markdown link holds them encoded.
    const isReadable = link.isMarkdown || path === path.trim()
    return isReadable && resolveLink(after, link.newSource, path) === link.newTarget
  })
}

/**
 * Whether a link spells out the old path of a moved file. It may still resolve, because case is ignored or the new
 * path ends like the old one, but it no longer says where the file is.
 */
export function spellsOldPath(link: Respelling): boolean {
  const written = link.written.trim()
  if (isRelative(written)) {
    const was = joinRelative(folderOf(link.source), written)
    const is = joinRelative(folderOf(link.newSource), written)
    return isSpelled(was, link.target) && !isSpelled(is, link.newTarget)
  }
  const plain = written.replace(/^\//, '')
  if (plain.includes('/') && isSpelled(plain, link.target)) return !isSpelled(plain, link.newTarget)
  return endsWith(link.target, plain) && !endsWith(link.newTarget, plain)
}

/** A relative link from `source` to a path, with `./` where it does not climb. */
export function relativeLink(source: NotePath, path: string): string {
  const from = folderOf(source) === '' ? [] : folderOf(source).split('/')
  const to = path.split('/')
  let common = 0
  while (common < from.length && common < to.length - 1 && from[common] === to[common]) common++
  const climbs = '../'.repeat(from.length - common)
  return `${climbs === '' ? './' : climbs}${to.slice(common).join('/')}`
}

function sameStyle(link: Respelling): string[] {
  const written = link.written.trim()
  const { newSource, newTarget } = link
  if (isRelative(written)) return [relativeLink(newSource, newTarget)]
  if (written.startsWith('/')) return [`/${newTarget}`]
  const depth = written.split('/').length
  if (depth === 1) return [baseName(newTarget)]
  if (isSameName(written, link.target)) return [newTarget]
  if (link.isMarkdown && isSameName(`${folderOf(link.source)}/${written}`, link.target)) {
    return [relativeLink(newSource, newTarget).replace(/^\.\//, '')]
  }
  const segments = newTarget.split('/')
  const endings = segments.map((_, at) => segments.slice(at).join('/')).reverse()
  return endings.slice(depth - 1)
}

const isSpelled = (written: string | undefined, path: string): boolean =>
  written === path || written === withoutNoteExtension(path)

const isSameName = (written: string, path: string): boolean =>
  foldName(withoutNoteExtension(written)) === foldName(withoutNoteExtension(path))

const endsWith = (path: string, written: string): boolean =>
  `/${path}`.endsWith(`/${written}`) || `/${withoutNoteExtension(path)}`.endsWith(`/${written}`)
