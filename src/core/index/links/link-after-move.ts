import { folderOf, isNote, type LinkReading, type LinkSettings, type NotePath, pathFailure } from '../../vault/index.js'
import { baseName, type FileNames, foldName, withoutNoteExtension } from './file-names.js'
import { fileAt, isRelative, joinRelative, type LinkForm, markdownPath, resolveLink } from './resolve-link.js'

/** The target and spelling of one link after the move, from its path part. */
export function linkAfterMove(context: MoveContext, source: NotePath, written: string, form: LinkForm): LinkAfterMove {
  if (context.before.reading === 'markdown' && form === 'markdown')
    return markdownLinkAfterMove(context, source, written)
  const { before, after, moved } = context
  const newSource = moved.get(source) ?? source
  const target = resolveLink(before, source, written, form)
  const now = resolveLink(after, newSource, written, form)
  if (target === null) return unresolvedLinkAfterMove(context, source, written, now)

  const newTarget = moved.get(target) ?? target
  const respelled = pathBetween(context, { written, form, source, target, newSource, newTarget })
  return respelled === written ? { target: newTarget } : { target: newTarget, written: respelled }
}

/** A link whose note and target are known before and after a change. */
export interface LinkEnds {
  /** The link's current path part, decoded. */
  written: string
  /** Markdown links to a path below their own folder stay readable for other Markdown programs. */
  form: LinkForm
  source: NotePath
  target: NotePath
  newSource: NotePath
  newTarget: NotePath
}

/** The path part that leads to the new target: the current one if it does and is not misleading. */
export function pathBetween(context: Pick<MoveContext, 'before' | 'after' | 'settings'>, ends: LinkEnds): string {
  const { before, after, settings } = context
  const { written, form, newSource, newTarget } = ends
  if (before.reading === 'markdown' && form === 'markdown') return markdownPathBetween(context, ends)
  const now = resolveLink(after, newSource, written, form)
  const link: Respelling = { ...ends, settings }
  const isStale = written !== '' && spellsOldPath(link)
  if (now === newTarget && !isStale) return written
  const respelled = respellLink(after, link)
  if (respelled === undefined) throw cannotBeLinked(newTarget, 'a space at the start or end of a name')
  return respelled
}

/**
 * A link to a note that does not exist or is hidden. If the new name is the one it looks for, it resolves to the moved
 * note, as in Obsidian. A relative link must not change its meaning only because its note has moved.
 */
function unresolvedLinkAfterMove(
  context: MoveContext,
  source: NotePath,
  written: string,
  now: NotePath | null,
): LinkAfterMove {
  const { after, moved } = context
  const newSource = moved.get(source)
  if (newSource !== undefined && isRelative(written)) {
    const place = joinRelative(folderOf(source), written)
    const kept = relativeLink(newSource, pathAfterMove(context, place))
    const isNeeded = now !== null || isHidden(context, place)
    if (isNeeded && kept !== written && resolveLink(after, newSource, kept) === null) {
      return { target: null, written: kept }
    }
  }
  return now === null ? { target: null } : { target: now, isCaptured: true }
}

/** The path part of an unresolved link whose text is in another note now: a relative one names the same place. */
export function unresolvedPathBetween(
  reading: LinkReading,
  { source, newSource, written, form }: Pick<LinkEnds, 'source' | 'newSource' | 'written' | 'form'>,
): string {
  if (source === newSource || written === '') return written
  if (reading === 'markdown' && form === 'markdown') {
    return spellLikeAuthor(newSource, markdownPath(source, written), written)
  }
  return isRelative(written) ? relativeLink(newSource, joinRelative(folderOf(source), written)) : written
}

/**
 * A Markdown link outside Obsidian vaults is a path from its note, so it is rewritten whenever that path or its note
 * moves, including links to folders and to missing files.
 */
function markdownLinkAfterMove(context: MoveContext, source: NotePath, written: string): LinkAfterMove {
  const { before, after, moved } = context
  const newSource = moved.get(source) ?? source
  if (written === '') return { target: newSource }
  const target = resolveLink(before, source, written, 'markdown')
  if (target === null) {
    const now = resolveLink(after, newSource, written, 'markdown')
    const [place, placeNow] = [markdownPath(source, written), markdownPath(newSource, written)]
    const newPlace = pathAfterMove(context, place)
    if (newPlace === placeNow) return now === null ? { target: now } : { target: now, isCaptured: true }
    const kept = spellLikeAuthor(newSource, newPlace, written)
    const leadsTo = resolveLink(after, newSource, kept, 'markdown')
    return leadsTo === null ? { target: null, written: kept } : { target: leadsTo, written: kept, isCaptured: true }
  }

  const newTarget = moved.get(target) ?? target
  const respelled = markdownPathBetween(context, { written, form: 'markdown', source, target, newSource, newTarget })
  return respelled === written ? { target: newTarget } : { target: newTarget, written: respelled }
}

function markdownPathBetween({ before, after }: Pick<MoveContext, 'before' | 'after'>, ends: LinkEnds): string {
  const { written, source, target, newSource, newTarget } = ends
  if (written === '' && newSource === newTarget) return written
  const now = resolveLink(after, newSource, written, 'markdown')
  const place = markdownPath(source, written)
  const placeNow = markdownPath(newSource, written)
  const wasThere = fileAt(before, place) === target
  const isThere = fileAt(after, placeNow) === newTarget
  const isStale = (wasThere && !isThere) || (isSpelled(place, target) && !isSpelled(placeNow, newTarget))
  if (now === newTarget && !isStale) return written
  const respelled = targetSpellings(newSource, newTarget, written).find(
    (path) => resolveLink(after, newSource, path, 'markdown') === newTarget,
  )
  if (respelled === undefined) throw cannotBeLinked(newTarget, 'a space at the start or end of a name')
  return respelled
}

/** Without `.md` only if the author omitted it and it still resolves. */
function targetSpellings(source: NotePath, target: NotePath, written: string): string[] {
  const whole = spellLikeAuthor(source, target, written)
  const omitsExtension = written !== '' && !isNote(written)
  return isNote(target) && omitsExtension ? [withoutNoteExtension(whole), whole] : [whole]
}

/**
 * A path in the author's style: from the root with `/`, or relative, with `./` if it had one; a folder keeps its `/`.
 */
function spellLikeAuthor(source: NotePath, path: string, written: string): string {
  const end = written.endsWith('/') ? '/' : ''
  if (written.startsWith('/')) return `/${path}${end}`
  const relative = relativeLink(source, path) + end
  return written.startsWith('./') && !relative.startsWith('./..') ? relative : relative.replace(/^\.\/(?=.)/, '')
}

/** Everything that decides how a link changes: the names before and after, and the moved files. */
export interface MoveContext {
  before: FileNames
  after: FileNames
  moved: ReadonlyMap<NotePath, NotePath>
  /** The moved folder, if it is one. */
  folder?: { from: string; to: string }
  /** Keys of all added and removed names: other links keep their target, unless their note moves. */
  keys: ReadonlySet<string>
  /** Hidden files: they stay where they are, even if their folder moves. */
  hidden: ReadonlySet<string>
  settings: LinkSettings
}

export interface LinkAfterMove {
  /** The target of the link after the move. */
  target: NotePath | null
  /** The new path part, if the link must be rewritten. */
  written?: string
  /** It was unresolved, and resolves to a moved file now. */
  isCaptured?: boolean
}

/**
 * The path after the move, also for paths without a known file: a folder's content moves with it, except hidden files
 * and names that start with a dot.
 */
function pathAfterMove(context: MoveContext, path: string): string {
  const { moved, folder } = context
  if (folder === undefined || !`${path}/`.startsWith(`${folder.from}/`)) return moved.get(path as NotePath) ?? path
  const below = path.slice(folder.from.length)
  return isHidden(context, path) || below.includes('/.') ? path : folder.to + below
}

/** True if a hidden file has this path, with or without `.md`. */
const isHidden = ({ hidden }: MoveContext, path: string): boolean => hidden.has(path) || hidden.has(`${path}.md`)

export function cannotBeLinked(path: string, characters: string) {
  return pathFailure(path, `links cannot contain ${characters}`)
}

interface Respelling extends LinkEnds {
  settings: LinkSettings
}

/**
 * The path part that resolves to `newTarget`, in the style of Obsidian's settings or of the author; undefined if none
 * does.
 */
function respellLink(after: FileNames, link: Respelling): string | undefined {
  const { form, settings, newTarget } = link
  const isMarkdownStyle = form === 'markdown' && (settings.useMarkdownLinks === true || link.written === '')
  const hasExtension = isMarkdownStyle || isNote(link.written.trim())
  const styled = settings.newLinkFormat === undefined ? sameStyle(link) : inFormat[settings.newLinkFormat](link)
  const spellings = [...styled, newTarget].flatMap((path) =>
    isNote(path) && !hasExtension ? [withoutNoteExtension(path), path] : [path],
  )
  return spellings.find((path) => {
    // Wikilinks ignore spaces at their ends; Markdown links encode them.
    const isReadable = form === 'markdown' || path === path.trim()
    return isReadable && resolveLink(after, link.newSource, path, form) === newTarget
  })
}

/**
 * True if a link spells out the old path of a moved file. It may still resolve, because case is ignored or the new
 * path ends like the old one, but it is misleading.
 */
function spellsOldPath(link: Respelling): boolean {
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

/** The path part of a link that is to lead to another file, in the style of its author; undefined if there is none. */
export function spellTarget(
  names: FileNames,
  settings: LinkSettings,
  { source, written, form, to }: { source: NotePath; written: string; form: LinkForm; to: NotePath },
): string | undefined {
  if (names.reading === 'markdown' && form === 'markdown') {
    const spellings = targetSpellings(source, to, written)
    return spellings.find((path) => resolveLink(names, source, path, 'markdown') === to)
  }
  // A link with a whole path keeps one.
  const target = `${withoutNoteExtension(written.trim())}.md` as NotePath
  return respellLink(names, { written, form, source, target, newSource: source, newTarget: to, settings })
}

/** The whole path of a link's target from the root of the vault, which no other file can capture. */
export function spellWholePath(
  names: FileNames,
  { source, written, form, to }: { source: NotePath; written: string; form: LinkForm; to: NotePath },
): string | undefined {
  const paths = isNote(to) && !isNote(written) ? [withoutNoteExtension(to), to] : [to]
  return paths.find((path) => resolveLink(names, source, path, form) === to)
}

/** A relative link from `source` to a path, starting with `./` or `../`. */
function relativeLink(source: NotePath, path: string): string {
  const from = folderOf(source) === '' ? [] : folderOf(source).split('/')
  const to = path.split('/')
  let common = 0
  while (common < from.length && common < to.length - 1 && from[common] === to[common]) common++
  const climbs = '../'.repeat(from.length - common)
  return `${climbs === '' ? './' : climbs}${to.slice(common).join('/')}`
}

/** True if `written` is exactly the path, with or without `.md`. */
const isSpelled = (written: string | undefined, path: string): boolean =>
  written === path || written === withoutNoteExtension(path)

const withoutDot = (relative: string): string => relative.replace(/^\.\//, '')

/** The spelling for each value of Obsidian's `newLinkFormat`. */
const inFormat: Record<NonNullable<LinkSettings['newLinkFormat']>, (link: Respelling) => string[]> = {
  shortest: ({ newTarget }) => [baseName(newTarget)],
  absolute: ({ newTarget }) => [newTarget],
  // If a note at the root has the same name, only `./` refers to the one in this folder.
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
