import * as z from 'zod'
import { moveTarget } from '../../index/index.js'
import { scanNote } from '../../markdown/index.js'
import type { ChangeSet, NotePath } from '../../vault/index.js'
import { foldPath, isNote, notePath } from '../../vault/index.js'
import { counted } from '../result-format.js'
import { defineTool } from '../tool.js'
import { findNoteOfAnySize, requireFreePath } from './find-note.js'
import { moveNotices, notRewritten } from './move-notices.js'
import { textAfterChanges } from './written-text.js'

export const renameNote = defineTool({
  name: 'rename_note',
  title: 'Rename note',
  description:
    'Rename or move a note and update every link to it. Returns the new path, the number of updated links, and the links that could not be updated.',
  activity: 'Renaming a note',
  category: 'file',
  effects: ['writes', 'destroys'],
  needsVault: true,
  timeoutMs: 120_000,
  input: z.object({
    path: z.string(),
    new_path: z.string().describe('Full path; Name stays in the folder; Folder/ moves into it; /Name moves to the top'),
  }),
  example: { path: 'Garden/Tomatoes.md', new_path: 'Garden/Love apples.md' },
  output: z.object({
    path: z.string(),
    new_path: z.string(),
    links: z.number(),
    notes: z.number(),
    canvases: z.number(),
    not_rewritten: z.array(z.string()),
  }),

  async plan({ path: wanted, new_path }, context) {
    const { index, session, signal, touchesHidden } = context
    const { path } = await findNoteOfAnySize(wanted, context)
    const name = /[/]|^\.?$/.test(new_path) || isNote(new_path) ? new_path : `${new_path}.md`
    const wantedTarget = moveTarget(await index.files(), path, name)
    const { to, changeSet, impact } = await index.planMove(path, wantedTarget, { session, signal, touchesHidden })
    const target = notePath(to)
    if (foldPath(target) !== foldPath(path)) await requireFreePath(target, context)
    const left = notRewritten(impact)
    const output = {
      path,
      new_path: to,
      links: impact.links,
      notes: impact.notes,
      canvases: impact.canvases.length,
      not_rewritten: left,
    }
    const textBefore = async (of: NotePath) => (await context.vault.read(of === target ? path : of))?.text ?? ''
    return {
      changes: changeSet,
      output,
      async inPart(part) {
        const refused = await countRemainingLinks(changeSet, part, textBefore)
        return {
          ...output,
          links: refused.reduce((rest, { count }) => rest - count, impact.links),
          notes: editedIn(part, isNote),
          canvases: editedIn(part, (path) => !isNote(path)),
          not_rewritten: [...left, ...refused.map(leftReason)],
        }
      },
      notices: moveNotices(impact),
      impact,
      isAboutWholeVault: true,
    }
  },

  render: ({ path, new_path, links, notes, canvases, not_rewritten }) => {
    const holders = [...(notes > 0 ? [counted(notes, 'note')] : []), ...(canvases > 0 ? [canvasCount(canvases)] : [])]
    const rewritten =
      links === 0 ? 'No links had to be updated.' : `Updated ${counted(links, 'link')} in ${holders.join(' and ')}.`
    const shown = not_rewritten.slice(0, 20).map((each) => `\n- ${each}`)
    if (not_rewritten.length > shown.length) shown.push(`\n- and ${not_rewritten.length - shown.length} more`)
    return `Note renamed: ${path} to ${new_path}. ${rewritten}${shown.join('')}`
  },
  notesIn: ({ new_path }) => [notePath(new_path)],
  summary: ({ path, new_path, links }) => `renamed ${path} to ${new_path}, ${counted(links, 'link')} updated`,
})

const editedIn = ({ changes }: ChangeSet, isMeant: (path: NotePath) => boolean): number =>
  changes.filter((change) => change.kind === 'edit' && change.hiddenBefore === undefined && isMeant(change.path)).length

const canvasCount = (count: number): string => `${count} ${count === 1 ? 'canvas' : 'canvases'}`

const leftReason = ({ path, count }: RemainingLinks): string =>
  `${path} still has ${counted(count, 'link')} to the old name, because the user rejected that part of the change.`

interface RemainingLinks {
  path: NotePath
  count: number
}

/**
 * Per note, the links that the whole change rewrites and its accepted part does not. A rename adds no links, so each
 * link keeps its number.
 */
async function countRemainingLinks(
  whole: ChangeSet,
  part: ChangeSet,
  textBefore: (path: NotePath) => Promise<string>,
): Promise<RemainingLinks[]> {
  const left: RemainingLinks[] = []
  for (const change of whole.changes) {
    // The names of hidden notes are not revealed.
    if (change.kind !== 'edit' || change.hiddenBefore !== undefined) continue
    const { path } = change
    const planned = linksIn(textAfterChanges(whole, path)!)
    const standing = linksIn(textAfterChanges(part, path) ?? (await textBefore(path)))
    const count = planned.filter((link, index) => link !== standing[index]).length
    if (count > 0) left.push({ path, count })
  }
  return left
}

const linksIn = (text: string): string[] => scanNote(text).links.map(({ raw }) => raw)
