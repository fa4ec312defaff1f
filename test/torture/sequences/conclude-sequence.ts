import type { PlannedSet } from './planned-set.js'
import type { Sequence } from './sequence.js'
import { settleAll } from './settle-notes.js'

/** Everything is well again: what is there must be what is said, and what can be taken back must come back. */
export async function concludeSequence(sequence: Sequence): Promise<void> {
  await sequence.restart()
  await compareIndex(sequence)
  await settleAll(sequence)
  await undoAll(sequence)
  await sequence.restart()
  await compareIndex(sequence)
}

async function compareIndex(sequence: Sequence): Promise<void> {
  await giveBackPermissions(sequence)
  sequence.must(await (await sequence.process()).compareIndex())
}

/** What the system did not allow to be read is left out of the index, and named, until that is changed. */
async function giveBackPermissions(sequence: Sequence): Promise<void> {
  const notes = sequence.world.vault()
  const skipped = (await (await sequence.process()).skipped()).filter((path) => notes.has(path))
  for (const path of skipped) {
    sequence.world.replace(path, notes.get(path)!)
    sequence.tell(`${path} may be read again`)
  }
  if (skipped.length > 0) await sequence.restart()
}

/** Newest first. What nobody has touched since must come back; the rest may be refused. */
async function undoAll(sequence: Sequence): Promise<void> {
  const { sets } = sequence.model
  const { sets: claims } = await (await sequence.process()).claims()
  for (const set of [...sets].reverse()) {
    if (set.undoes !== undefined || set.settles !== undefined || claims.get(set.id)?.state !== 'applied') continue
    const isUntouched = !sets.some(({ undoes, settles }) => undoes === set.id || settles?.id === set.id)
    await undoAndLook(set, isUntouched, sequence)
  }
}

async function undoAndLook(set: PlannedSet, isUntouched: boolean, sequence: Sequence): Promise<void> {
  const { id, touched, hasDamagedImages } = set
  const before = sequence.world.vault()
  const isWhole = [...touched].every(([path, held]) => (before.get(path) ?? null) === held.new)
  const task = { do: 'undo' as const, id: sequence.nextMark(), undoes: id }
  const { result, said } = await sequence.perform(task, `undo of ${id}`)
  // Two spellings of one name cannot stand beside each other on every disk, so the second is refused on all.
  const names = [...before.keys()].map((path) => path.toLowerCase())
  const isCrowded = [...touched.keys()].some((path) => !before.has(path) && names.includes(path.toLowerCase()))
  if (!isWhole || !isUntouched || hasDamagedImages || isCrowded) return
  if (result !== 'applied') return sequence.must([`${id} is as it left the notes, and cannot be undone: ${said}`])
  const after = sequence.world.vault()
  const wrong = [...touched].filter(([path, { old }]) => (after.get(path) ?? null) !== old)
  sequence.must(wrong.map(([path]) => `undoing ${id} did not bring back ${path}`))
}
