import { folderOf, type NotePath } from '../../../vault/index.js'
import { isRelative, joinRelative, type LinkForm, resolveLink } from '../resolve-link.js'
import { plainFate } from './plain-fate.js'
import { cannotBeLinked, isHidden, type LinkFate, placeAfter, type Renaming } from './renaming.js'
import { type Respelling, relativeLink, respellLink, spellsOldPath } from './respell-link.js'

/** What becomes of one link, told from its path part alone. */
export function linkFate(renaming: Renaming, source: NotePath, written: string, form: LinkForm): LinkFate {
  if (renaming.before.reading === 'markdown' && form === 'markdown') return plainFate(renaming, source, written)
  const { before, after, moved, settings } = renaming
  const newSource = moved.get(source) ?? source
  const target = resolveLink(before, source, written, form)
  const now = resolveLink(after, newSource, written, form)
  if (target === null) return strayFate(renaming, source, written, now)

  const newTarget = moved.get(target) ?? target
  const link: Respelling = { written, form, source, target, newSource, newTarget, settings }
  const isStale = written !== '' && spellsOldPath(link)
  if (now === newTarget && !isStale) return { target: newTarget }
  const respelled = respellLink(after, link)
  if (respelled === undefined) throw cannotBeLinked(newTarget, 'a space at an end of a name')
  return respelled === written ? { target: newTarget } : { target: newTarget, written: respelled }
}

/**
 * A link to a note that does not exist, or that nobody may know of. If the new name is the one it waits for, it now
 * leads there, as in Obsidian. But a relative one must neither find another note nor lose a hidden one only because the
 * note it stands in has moved.
 */
function strayFate(renaming: Renaming, source: NotePath, written: string, now: NotePath | null): LinkFate {
  const { after, moved } = renaming
  const newSource = moved.get(source)
  if (newSource !== undefined && isRelative(written)) {
    const place = joinRelative(folderOf(source), written)
    const kept = relativeLink(newSource, placeAfter(renaming, place))
    const isNeeded = now !== null || isHidden(renaming, place)
    if (isNeeded && kept !== written && resolveLink(after, newSource, kept) === null) {
      return { target: null, written: kept }
    }
  }
  return now === null ? { target: null } : { target: now, isCaptured: true }
}
