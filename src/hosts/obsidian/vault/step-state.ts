import { foldPath, type JournalStep } from '../../../core/vault/index.js'
import type { Journal } from '../journal.js'
import type { VaultFiles } from './vault-files.js'

/** Where a step stands, told by hashes alone. `torn`: its writing broke off. `theirs`: someone else was there. */
export type StepState = 'before' | 'after' | 'torn' | 'theirs'

export async function stepState(step: JournalStep, files: VaultFiles, journal: Journal): Promise<StepState> {
  if (step.kind === 'rename') return renameState(step, files)
  const current = await files.readExactly(step.path)
  if (step.kind === 'remove')
    return current === undefined ? 'after' : current.hash === step.before ? 'before' : 'theirs'
  if (current?.hash === step.after) return 'after'
  if ((current?.hash ?? null) === step.before) return 'before'
  if (current === undefined) return 'theirs'
  // A file is not replaced in one stroke here: what begins as the new text does and ends too soon is our own.
  const after = await journal.image(step.after)
  const isPart = after !== undefined && current.bytes.every((byte, at) => byte === after[at])
  return isPart && current.bytes.length < after.length ? 'torn' : 'theirs'
}

async function renameState(step: JournalStep & { kind: 'rename' }, files: VaultFiles): Promise<StepState> {
  const here = await files.read(step.path)
  const isIt = (found: typeof here) => found !== undefined && (step.hash === null || found.hash === step.hash)
  if (foldPath(step.path) === foldPath(step.to)) {
    return !isIt(here) ? 'theirs' : here?.path === step.to ? 'after' : 'before'
  }
  const there = await files.read(step.to)
  if (here === undefined) return isIt(there) ? 'after' : 'theirs'
  return isIt(here) && there === undefined ? 'before' : 'theirs'
}
