import { visibleText } from '../../text/index.js'
import type { Notice } from '../tool.js'
import { executableNotices } from './executable-blocks.js'

/** What a person must know about text that a change brings into a note. */
export function textNotices(path: string, before: string, after: string): Notice[] {
  return [...executableNotices(path, before, after), ...hiddenNotices(path, before, after)]
}

/** Characters that are not seen can make a change look like another one, or carry something only a program reads. */
function hiddenNotices(path: string, before: string, after: string): Notice[] {
  const added = visibleText(after).hidden - visibleText(before).hidden
  if (added <= 0) return []
  const text = `Adds ${added} hidden character${added === 1 ? '' : 's'} to ${path}, shown as ⟦U+…⟧.`
  return [{ kind: 'other', text }]
}
