import type { MoveImpact } from '../../index/index.js'
import { counted } from '../result-format.js'
import type { Notice } from '../tool.js'

/** For the user, before the approval: links that a move does not update, or that it changes in other ways. */
export const moveNotices = (impact: MoveImpact): Notice[] =>
  [...notRewritten(impact), ...captured(impact), ...concealed(impact)].map((text) => ({ kind: 'links', text }))

/** Links that a move leaves as they are, with the reason. */
export function notRewritten({ notUtf8, outOfReach, unread }: MoveImpact): string[] {
  return [
    ...notUtf8.map((path) => `${path} links to it but is not valid UTF-8, so it is not changed.`),
    ...unread.map((path) => `${path} cannot be read, so its links are not updated.`),
    ...outOfReach.map(({ path, line, raw }) => `${path}:${line} writes ${raw} in a form that cannot be updated.`),
  ]
}

function captured({ captured }: MoveImpact): string[] {
  if (captured === 0) return []
  return [`${counted(captured, 'unresolved link')} will point to the new name.`]
}

/** For the user alone, and without a name: the panel shows it, and no answer of the tool does. */
function concealed({ hidden }: MoveImpact): string[] {
  if (hidden === undefined) return []
  const { links, notes, rewritten, namesakes } = hidden
  const where = `${counted(links, 'link')} in ${counted(notes, 'note')} that Notewright may not touch`
  return [
    ...(links === 0 ? [] : [rewritten ? `${where} will be updated, as you chose.` : `${where} would break.`]),
    ...(namesakes === 0
      ? []
      : [
          `${counted(namesakes, 'hidden note')} already ${namesakes === 1 ? 'has' : 'have'} that name, so links by name would point to the renamed note.`,
        ]),
  ]
}
