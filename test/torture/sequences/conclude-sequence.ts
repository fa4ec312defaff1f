import type { PlannedSet } from './planned-set.js'
import type { Sequence } from './sequence.js'
import { settleAll } from './settle-notes.js'

/** Ends all faults: the disk must match the reports, and every undo must restore its notes. */
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
  sequence.must(await (await sequence.process()).compareIndex(sequence.plan.seed + sequence.story.length))
}

/** Files that could not be read are skipped by the index and named until permissions are restored. */
async function giveBackPermissions(sequence: Sequence): Promise<void> {
  const notes = sequence.world.vault()
  const skipped = (await (await sequence.process()).skipped()).filter((path) => notes.has(path))
  for (const path of skipped) {
    sequence.world.replace(path, notes.get(path)!)
    sequence.tell(`${path} may be read again`)
  }
  if (skipped.length > 0) await sequence.restart()
}

/** Newest first. Notes without later edits must be restored; others may be refused. */
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
  if (!isWhole || !isUntouched || hasDamagedImages || bringsTwoSpellings(set, before)) return
  if (result !== 'applied') return sequence.must([`${id} is as it left the notes, and cannot be undone: ${said}`])
  const after = sequence.world.vault()
  // An undo planned while an unfinished set had changed the case of a name restores the name from before that set.
  const respelled = (path: string) => [...after.keys()].find((name) => name.toLowerCase() === path.toLowerCase())
  const textAt = (path: string) => after.get(path) ?? after.get(respelled(path) ?? '') ?? null
  const wrong = [...touched].filter(
    ([path, { old }]) => (old === null ? (after.get(path) ?? null) : textAt(path)) !== old,
  )
  sequence.must(wrong.map(([path]) => `undoing ${id} did not bring back ${path}`))
}

/** Two spellings of one name cannot stand beside each other on every disk, so the second is refused on all. */
function bringsTwoSpellings({ touched }: PlannedSet, before: Map<string, string>): boolean {
  const comingBack = [...touched].filter(([path, { old }]) => old !== null && !before.has(path)).map(([path]) => path)
  const names = [...before.keys(), ...comingBack].map((path) => path.toLowerCase())
  return comingBack.some((path) => names.filter((name) => name === path.toLowerCase()).length > 1)
}
