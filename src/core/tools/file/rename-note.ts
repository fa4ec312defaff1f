import * as z from 'zod'
import { type ChangeSet, foldPath, isNote, type NotePath, notePath } from '../../vault/index.js'
import type { MoveImpact } from '../../vault-index/index.js'
import { defineTool, type Notice } from '../tool.js'
import { type LinksLeft, linksLeft } from './links-left.js'
import { findNoteOfAnySize, mustBeFree } from './note-to-change.js'

export const renameNote = defineTool({
  name: 'rename_note',
  title: 'Rename note',
  description:
    'Rename or move a note and rewrite every link to it. Returns the new path, how many links were rewritten, and those that could not be.',
  activity: 'Renaming a note',
  category: 'file',
  effects: ['writes', 'destroys'],
  needsVault: true,
  timeoutMs: 120_000,
  input: z.object({
    path: z.string(),
    new_path: z.string().describe('Vault-relative; a folder ends with /'),
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
    // Links are rewritten from the index, so it must know every note.
    await index.update({ signal })
    const { to, changeSet, impact } = await index.planMove(path, new_path, { session, signal, touchesHidden })
    const target = notePath(to)
    if (foldPath(target) !== foldPath(path)) await mustBeFree(target, context)
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
        const refused = await linksLeft(changeSet, part, textBefore)
        return {
          ...output,
          links: refused.reduce((rest, { count }) => rest - count, impact.links),
          notes: editedIn(part, isNote),
          canvases: editedIn(part, (path) => !isNote(path)),
          not_rewritten: [...left, ...refused.map(whyLeft)],
        }
      },
      notices: [...left, ...captured(impact), ...concealed(impact)].map((text): Notice => ({ kind: 'links', text })),
      impact,
      isAboutWholeVault: true,
    }
  },

  render: ({ path, new_path, links, notes, canvases, not_rewritten }) => {
    const holders = [...(notes > 0 ? [counted(notes, 'note')] : []), ...(canvases > 0 ? [canvasCount(canvases)] : [])]
    const rewritten =
      links === 0 ? 'No links needed rewriting.' : `Rewrote ${counted(links, 'link')} in ${holders.join(' and ')}.`
    const shown = not_rewritten.slice(0, 20).map((each) => `\n- ${each}`)
    if (not_rewritten.length > shown.length) shown.push(`\n- and ${not_rewritten.length - shown.length} more`)
    return `Note renamed: ${path} to ${new_path}. ${rewritten}${shown.join('')}`
  },
  notesIn: ({ new_path }) => [notePath(new_path)],
  summary: ({ path, new_path, links }) => `renamed ${path} to ${new_path}, ${counted(links, 'link')} rewritten`,
})

const editedIn = ({ changes }: ChangeSet, isMeant: (path: NotePath) => boolean): number =>
  changes.filter((change) => change.kind === 'edit' && change.hiddenBefore === undefined && isMeant(change.path)).length

const canvasCount = (count: number): string => `${count} ${count === 1 ? 'canvas' : 'canvases'}`

const whyLeft = ({ path, count }: LinksLeft): string =>
  `${path} keeps ${counted(count, 'link')} to the old name: that part of the change was not accepted.`

function notRewritten({ notUtf8, outOfReach, unread }: MoveImpact): string[] {
  return [
    ...notUtf8.map((path) => `${path} links to it but is not valid UTF-8, so it is not rewritten.`),
    ...unread.map((path) => `${path} cannot be read, so no link in it is rewritten.`),
    ...outOfReach.map(({ path, line, raw }) => `${path}:${line} spells ${raw} in a way that cannot be rewritten.`),
  ]
}

function captured({ captured }: MoveImpact): string[] {
  if (captured === 0) return []
  return [`${counted(captured, 'link')} that led nowhere will lead to the new name.`]
}

/** For the person alone, and without a name: the panel shows it, and no answer of the tool does. */
function concealed({ hidden }: MoveImpact): string[] {
  if (hidden === undefined) return []
  const { links, notes, rewritten, namesakes } = hidden
  const where = `${counted(links, 'link')} in ${counted(notes, 'note')} that Notewright may not touch`
  return [
    ...(links === 0 ? [] : [rewritten ? `${where} will be rewritten, as you said.` : `${where} would break.`]),
    ...(namesakes === 0
      ? []
      : [`${counted(namesakes, 'hidden note')} of that name would be found no more by its name.`]),
  ]
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
