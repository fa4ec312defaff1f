import type { PlannedFault } from './plan.js'
import type { Texts } from './planned-set.js'
import type { Sequence } from './sequence.js'
import type { Outcome } from './world.js'

const ways = ['keep', 'take-back', 'finish'] as const
type Way = (typeof ways)[number]

/** A note of a change set that waits for a user's decision. */
interface UndecidedNote {
  id: string
  note: string
}

export async function undecidedNotes(sequence: Sequence): Promise<UndecidedNote[]> {
  const { sets } = await (await sequence.process()).claims()
  return [...sets].flatMap(([id, { named }]) => [...named].map((note) => ({ id, note })))
}

export function settleNote(
  settles: UndecidedNote,
  way: Way | number,
  sequence: Sequence,
  faults: PlannedFault[] = [],
): Promise<Outcome> {
  const how = typeof way === 'number' ? ways[way % ways.length] : way
  // The user's decision is right, even if it leaves unresolved links.
  for (const text of sequence.model.everAt(settles.note)) sequence.model.losesLinksIn(text)
  for (const text of sequence.model.everAt(settles.note)) sequence.model.losesLinksTo(text)
  const task = { do: 'settle' as const, id: sequence.nextMark(), settles, how }
  return sequence.perform(task, `settle ${settles.note} of ${settles.id}: ${how}`, faults)
}

/** Every named note can be kept, restored or finished: its bytes are still stored. */
export async function settleAll(sequence: Sequence): Promise<void> {
  for (const [at, undecided] of (await undecidedNotes(sequence)).entries()) {
    await settleAndLook(undecided, ways[(sequence.plan.seed + at) % ways.length], sequence)
  }
  const left = (await undecidedNotes(sequence)).map(({ note }) => note)
  if (left.length > 0) sequence.must([`${left.join(', ')} was settled, and is still undecided`])
}

/** Two spellings of one name cannot stand beside each other on every disk, so the second is refused on all. */
function isSpelledOtherwise(note: string, disk: Texts): boolean {
  return [...disk.keys()].some((path) => path !== note && path.toLowerCase() === note.toLowerCase())
}

async function settleAndLook(undecided: UndecidedNote, way: Way, sequence: Sequence): Promise<void> {
  const { id, note } = undecided
  const { world, model } = sequence
  const set = model.sets.find((each) => each.id === id)
  const respelled = set === undefined ? note : model.spelledSince(set, note, await (await sequence.process()).claims())
  // A user may have taken it elsewhere since; then it is made anew under its own name.
  const spelled = world.vault().has(respelled) ? respelled : note
  const textNow = () => world.vault().get(spelled) ?? null
  const before = textNow()
  // Without the row that spelled it otherwise, what has that spelling is another note.
  const isAnother = before === null || (model.damagedRows > 0 && !world.vault().has(note))
  const isCrowded = isAnother && isSpelledOtherwise(note, world.vault())
  // Notes that were only moved or appended to have no expected text of their own.
  const isVague = set?.moves.some((ends) => ends.includes(note)) || set?.appended.has(note)
  const held = isVague ? undefined : set?.touched.get(note)
  const { result, said } = await settleNote(undecided, way, sequence)
  if (result === 'applied') {
    const wanted = { keep: before, 'take-back': held?.old, finish: held?.new }[way]
    const isSo = wanted === undefined || textNow() === wanted
    return sequence.must(isSo ? [] : [`settling ${note} of ${id} (${way}) did not do that`])
  }
  const isKnown = held !== undefined && !set?.hasDamagedImages && !isCrowded
  sequence.must(isKnown || way === 'keep' ? [`${note} of ${id} cannot be settled: ${said}`] : [])
  await settleNote(undecided, 'keep', sequence)
}
