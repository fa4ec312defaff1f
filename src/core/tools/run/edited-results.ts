import { Failure } from '../../errors.js'
import { type Change, type ChangeSet, decodeNote, isNote, type NotePath } from '../../vault/index.js'
import { textNotices } from '../file/executable-blocks.js'
import { checkText, withFormatOf } from '../file/written-text.js'
import type { EditedResult, ProposedCall } from '../guard.js'
import type { ReadableVault } from '../tool-context.js'

type WritingChange = Extract<Change, { kind: 'create' | 'edit' | 'append' }>

/**
 * The text that a change leaves, as a text field shows it: line breaks as `\n`, no byte order mark. Undefined if a text
 * field could not give back the same bytes, and for files that are not notes.
 */
export function textToEdit(change: Change): string | undefined {
  if (change.kind === 'move' || change.kind === 'trash' || !isNote(change.path)) return undefined
  if (change.kind === 'edit' && change.hiddenBefore !== undefined) return undefined
  const { text, encoding } = decodeNote(bytesOf(change))
  if (encoding !== 'utf-8') return undefined
  const shown = (text.startsWith('\ufeff') ? text.slice(1) : text).replaceAll('\r\n', '\n')
  return withFormatOf(text, shown) === text && !shown.includes('\r') ? shown : undefined
}

/**
 * The call with the text that the user wrote in place of the planned one. Every change stays bound to the bytes it was
 * planned from, so a note that has changed in the meantime is a conflict.
 */
export async function withEditedResults(
  proposed: ProposedCall,
  results: readonly EditedResult[],
  vault: Pick<ReadableVault, 'read'>,
): Promise<ProposedCall> {
  const { plan } = proposed
  if (plan === undefined || plan.isAboutWholeVault) throw new Failure('invalid-input', 'This text cannot be edited.')
  const changes = [...plan.changes.changes]
  const edited = new Set<NotePath>()
  for (const { change: at, text } of results) {
    const change = changes[at]
    if (change === undefined || textToEdit(change) === undefined) {
      throw new Failure('invalid-input', 'This text cannot be edited.')
    }
    const writing = change as WritingChange
    const next = withFormatOf(decodeNote(bytesOf(writing)).text, checkText('text', text))
    changes[at] = withText(writing, new TextEncoder().encode(next))
    edited.add(change.path)
  }
  // Rules describe what they did, which the user has changed.
  const { rules: _, ...planned } = plan.changes
  const set: ChangeSet = { ...planned, id: crypto.randomUUID(), changes }
  const outdated = new Set((await noticesOf(plan.changes, edited, vault)).map(({ text }) => text))
  const notices = [
    ...(plan.notices ?? []).filter(({ text }) => !outdated.has(text)),
    ...(await noticesOf(set, edited, vault)),
  ]
  const { output } = plan
  return {
    ...proposed,
    edited: true,
    editedText: [...edited],
    plan: { ...plan, changes: set, notices, ...(plan.inPart && { inPart: () => output }) },
  }
}

async function noticesOf(set: ChangeSet, paths: ReadonlySet<NotePath>, vault: Pick<ReadableVault, 'read'>) {
  const notices = set.changes.map(async (change) => {
    if (change.kind === 'move' || change.kind === 'trash' || !paths.has(change.path)) return []
    const before = change.kind === 'create' ? '' : ((await vault.read(change.path))?.text ?? '')
    const written = decodeNote(bytesOf(change)).text
    return textNotices(change.path, before, change.kind === 'append' ? before + written : written)
  })
  return (await Promise.all(notices)).flat()
}

const bytesOf = (change: WritingChange): Uint8Array => (change.kind === 'append' ? change.added : change.after)

function withText(change: WritingChange, bytes: Uint8Array): Change {
  return change.kind === 'append' ? { ...change, added: bytes } : { ...change, after: bytes }
}
