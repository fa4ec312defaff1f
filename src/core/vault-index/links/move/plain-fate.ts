import { isNote, type NotePath } from '../../../vault/index.js'
import { withoutNoteExtension } from '../link-key.js'
import { fileAt, placeOf, resolveLink } from '../resolve-link.js'
import { cannotBeLinked, type LinkFate, placeAfter, type Renaming } from './renaming.js'
import { isSpelled, relativeLink } from './respell-link.js'

/**
 * What becomes of a Markdown link in a folder that is no Obsidian vault. It names a path from its note, so it is
 * written anew whenever that path or its note moves: also a link to a folder, and one to a file that is not there.
 */
export function plainFate(renaming: Renaming, source: NotePath, written: string): LinkFate {
  const { before, after, moved } = renaming
  const newSource = moved.get(source) ?? source
  if (written === '') return { target: newSource }
  const target = resolveLink(before, source, written, 'markdown')
  const now = resolveLink(after, newSource, written, 'markdown')
  const place = placeOf(source, written)
  const placeNow = placeOf(newSource, written)

  if (target === null) {
    const newPlace = placeAfter(renaming, place)
    if (newPlace === placeNow) return now === null ? { target: now } : { target: now, isCaptured: true }
    const kept = spelled(newSource, newPlace, written)
    const leadsTo = resolveLink(after, newSource, kept, 'markdown')
    return leadsTo === null ? { target: null, written: kept } : { target: leadsTo, written: kept, isCaptured: true }
  }

  const newTarget = moved.get(target) ?? target
  const wasThere = fileAt(before, place) === target
  const isThere = fileAt(after, placeNow) === newTarget
  const isStale = (wasThere && !isThere) || (isSpelled(place, target) && !isSpelled(placeNow, newTarget))
  if (now === newTarget && !isStale) return { target: newTarget }
  const respelled = spellings(newSource, newTarget, written).find(
    (path) => resolveLink(after, newSource, path, 'markdown') === newTarget,
  )
  if (respelled === undefined) throw cannotBeLinked(newTarget, 'a space at an end of a name')
  return { target: newTarget, written: respelled }
}

/** Without `.md` only where the author left it out, and where that still means the note. */
function spellings(source: NotePath, target: NotePath, written: string): string[] {
  const whole = spelled(source, target, written)
  return isNote(target) && !isNote(written) ? [withoutNoteExtension(whole), whole] : [whole]
}

/** A path in the author's manner: from the top with `/`, or from the note, with `./` where one stood; a folder keeps its `/`. */
function spelled(source: NotePath, path: string, written: string): string {
  const end = written.endsWith('/') ? '/' : ''
  if (written.startsWith('/')) return `/${path}${end}`
  const relative = relativeLink(source, path) + end
  return written.startsWith('./') && !relative.startsWith('./..') ? relative : relative.replace(/^\.\/(?=.)/, '')
}
