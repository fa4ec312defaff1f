import { folderOf, isNote, type LinkSettings, type NotePath } from '../../../vault/index.js'
import type { FileNames } from '../file-names.js'
import { baseName, foldName, withoutNoteExtension } from '../link-key.js'
import { isRelative, joinRelative, type LinkForm, resolveLink } from '../resolve-link.js'

export interface Respelling {
  /** The link's path part as it is, decoded. */
  written: string
  /** Markdown links that name a path below their own folder are kept readable for other Markdown programs. */
  form: LinkForm
  source: NotePath
  target: NotePath
  newSource: NotePath
  newTarget: NotePath
  settings: LinkSettings
}

/** The path part that leads to `newTarget`, as Obsidian is set to spell it or else as its author did; undefined when none does. */
export function respellLink(after: FileNames, link: Respelling): string | undefined {
  const { form, settings, newTarget } = link
  const hasExtension = isNote(link.written.trim()) || (form === 'markdown' && settings.useMarkdownLinks === true)
  const styled = settings.newLinkFormat === undefined ? sameStyle(link) : inFormat[settings.newLinkFormat](link)
  const spellings = [...styled, newTarget].flatMap((path) =>
    isNote(path) && !hasExtension ? [withoutNoteExtension(path), path] : [path],
  )
  return spellings.find((path) => {
    // Spaces at the ends of a wikilink are not read; a Markdown link holds them encoded.
    const isReadable = form === 'markdown' || path === path.trim()
    return isReadable && resolveLink(after, link.newSource, path, form) === newTarget
  })
}

/**
 * Whether a link spells out the old path of a moved file. It may still resolve, because case is ignored or the new
 * path ends like the old one, but it no longer says where the file is.
 */
export function spellsOldPath(link: Respelling): boolean {
  const { source, target, newSource, newTarget, settings } = link
  const written = link.written.trim()
  if (isRelative(written) || settings.newLinkFormat === 'relative') {
    const was = joinRelative(folderOf(source), written)
    const is = joinRelative(folderOf(newSource), written)
    if (isSpelled(was, target)) return !isSpelled(is, newTarget)
  }
  if (isRelative(written) || newTarget === target) return false
  const plain = written.replace(/^\//, '')
  if (plain.includes('/') && isSpelled(plain, target)) return !isSpelled(plain, newTarget)
  return endsWith(target, plain) && !endsWith(newTarget, plain)
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

/** Whether a path is spelled letter by letter, `.md` left out or not. */
export const isSpelled = (written: string | undefined, path: string): boolean =>
  written === path || written === withoutNoteExtension(path)

const withoutDot = (relative: string): string => relative.replace(/^\.\//, '')

/** What Obsidian writes for each value of `newLinkFormat`. */
const inFormat: Record<NonNullable<LinkSettings['newLinkFormat']>, (link: Respelling) => string[]> = {
  shortest: ({ newTarget }) => [baseName(newTarget)],
  absolute: ({ newTarget }) => [newTarget],
  // Where a note at the top has the name, only `./` says that the one beside is meant.
  relative: ({ newSource, newTarget }) => {
    const relative = relativeLink(newSource, newTarget)
    return [withoutDot(relative), relative]
  },
}

function sameStyle(link: Respelling): string[] {
  const written = link.written.trim()
  const { newSource, newTarget } = link
  if (isRelative(written)) return [relativeLink(newSource, newTarget)]
  if (written.startsWith('/')) return [`/${newTarget}`]
  const depth = written.split('/').length
  if (depth === 1) return [baseName(newTarget)]
  if (isSameName(written, link.target)) return [newTarget]
  if (link.form === 'markdown' && isSameName(`${folderOf(link.source)}/${written}`, link.target)) {
    return [withoutDot(relativeLink(newSource, newTarget))]
  }
  const segments = newTarget.split('/')
  const endings = segments.map((_, at) => segments.slice(at).join('/')).reverse()
  return endings.slice(depth - 1)
}

const isSameName = (written: string, path: string): boolean =>
  foldName(withoutNoteExtension(written)) === foldName(withoutNoteExtension(path))

const endsWith = (path: string, written: string): boolean =>
  `/${path}`.endsWith(`/${written}`) || `/${withoutNoteExtension(path)}`.endsWith(`/${written}`)
