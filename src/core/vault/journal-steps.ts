import type { ContentHash } from './change-set.js'
import type { JournalStep } from './journal-entry.js'
import type { NotePath } from './note-path.js'
import type { StagedStep } from './stage-changes.js'

/** What the journal keeps of staged steps: hashes instead of bytes, and where the trash took a note. */
export function journalSteps(
  steps: StagedStep[],
  trashPath: (step: StagedStep, index: number) => NotePath,
  hash: (bytes: Uint8Array) => ContentHash,
): JournalStep[] {
  return steps.map((step, index) => journalStep(step, hash, () => trashPath(step, index)))
}

function journalStep(
  step: StagedStep,
  hash: (bytes: Uint8Array) => ContentHash,
  trashPath: () => NotePath,
): JournalStep {
  switch (step.kind) {
    case 'write': {
      const { path, appended, after } = step
      const kept = appended && {
        ...appended,
        hash: hash(after.subarray(appended.offset, appended.offset + appended.length)),
      }
      const origin = step.origin === path ? undefined : step.origin
      return { kind: 'write', path, before: step.before?.hash ?? null, after: step.hash, origin, appended: kept }
    }
    case 'remove':
      return { kind: 'remove', path: step.path, before: step.before.hash }
    case 'rename':
      return { kind: 'rename', path: step.path, to: step.to, hash: step.before?.hash ?? null }
    case 'trash':
      return { kind: 'rename', path: step.path, to: trashPath(), hash: step.before.hash, trash: true }
  }
}
