import { hash as nodeHash } from 'node:crypto'
import { type ContentHash, folderOf, type JournalStep } from '../../../core/vault/index.js'
import { type FileAccess, type OpenFolder, readWhole } from '../files/index.js'
import { codeOf } from './file-moves.js'

/** What a temporary file holds: the bytes of after or before, or what someone saved while theirs was replaced. */
export type Temporary = 'new' | 'old' | 'kept'

/** What is known of the entry that a temporary file belongs to. */
export interface TemporaryOwner {
  /** How the names of its temporary files begin. */
  temporary: string
  steps: readonly JournalStep[]
  image(hash: ContentHash): Promise<Uint8Array | undefined>
}

/** What is kept gets another name at each attempt: what an earlier one has kept may be someone's only copy. */
export const temporaryName = (temporary: string, step: number, what: Temporary, attempt = 1): string =>
  `${temporary}${step}.${what}${attempt === 1 ? '' : attempt}.tmp`

/** Whether a temporary file may go: its bytes are in the journal or in their place, and nobody has saved into it. */
export async function isSpare(
  files: FileAccess,
  folder: OpenFolder,
  name: string,
  { temporary, steps, image }: TemporaryOwner,
): Promise<boolean> {
  const bytes = await readWhole(files, folder.at(name)).catch(unlessForbidden)
  if (bytes === 'forbidden') return false
  if (bytes === undefined || bytes.length === 0) return true
  const [, number, what] = /^(\d+)\.(?:(\w+)\.)?tmp$/.exec(name.slice(temporary.length)) ?? []
  const step = steps[Number(number)]
  if (step === undefined || step.kind === 'rename') return false
  const after = step.kind === 'write' ? step.after : null
  if ([step.before, after].includes(nodeHash('sha256', bytes))) return true
  if (what?.startsWith('kept')) return isInPlace(files, folder, name, step)
  // Where a power cut has taken back the name a note was put under, what was saved into the note lies here.
  const wanted = what === 'old' ? step.before : after
  const whole = wanted === null ? undefined : await image(wanted)
  return whole !== undefined && Buffer.compare(bytes, whole.subarray(0, bytes.length)) === 0
}

function unlessForbidden(error: unknown): 'forbidden' {
  if (['EACCES', 'EPERM', 'ELOOP'].includes(codeOf(error) ?? '')) return 'forbidden'
  throw error
}

/** A file that a step was about to let go may have its old name still. */
async function isInPlace(files: FileAccess, folder: OpenFolder, name: string, { path }: JournalStep): Promise<boolean> {
  const there = await files.stat(folder.at(path.slice(folderOf(path).length).replace(/^\//, '')))
  const kept = await files.stat(folder.at(name))
  return kept !== undefined && kept.identity === there?.identity
}
