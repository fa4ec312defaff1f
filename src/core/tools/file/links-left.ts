import { scanNote } from '../../markdown/index.js'
import type { ChangeSet, NotePath } from '../../vault/index.js'
import { textAfter } from './text-after.js'

export interface LinksLeft {
  path: NotePath
  count: number
}

/**
 * The links that a whole change would write anew and a part of it leaves, note by note. A rename changes links and
 * adds none, so that each is found by its number.
 */
export async function linksLeft(
  whole: ChangeSet,
  part: ChangeSet,
  textBefore: (path: NotePath) => Promise<string>,
): Promise<LinksLeft[]> {
  const left: LinksLeft[] = []
  for (const change of whole.changes) {
    // Which hidden notes there are is not told.
    if (change.kind !== 'edit' || change.hiddenBefore !== undefined) continue
    const { path } = change
    const planned = linksIn(textAfter(whole, path)!)
    const standing = linksIn(textAfter(part, path) ?? (await textBefore(path)))
    const count = planned.filter((link, index) => link !== standing[index]).length
    if (count > 0) left.push({ path, count })
  }
  return left
}

const linksIn = (text: string): string[] => scanNote(text).links.map(({ raw }) => raw)
