import { Failure, type FailureDetails } from '../errors.js'
import { type ChangeSet, changeSet, mustBeUtf8, notePath, type Vault } from '../vault/index.js'
import { rememberedIn, withoutMemory } from './memory-lines.js'

type Reading = Pick<Vault, 'read'>

/** One thing that is remembered, with where it stands in its note. */
export interface KeptMemory {
  number: number
  text: string
  line: number
}

/** What the note keeps, the newest first. */
export async function keptMemories(vault: Reading, note: string): Promise<KeptMemory[]> {
  const file = await vault.read(notePath(note))
  return rememberedIn(file?.text ?? '')
    .map(({ number, text, from }) => ({ number, text, line: from + 1 }))
    .reverse()
}

/** The change that forgets one of them. Nothing is written. */
export async function planForget(
  vault: Reading,
  note: string,
  number: number,
): Promise<{ changes: ChangeSet; forgotten: string }> {
  const file = await vault.read(notePath(note))
  const memories = rememberedIn(file?.text ?? '')
  const memory = memories.find((each) => each.number === number)
  if (file === undefined || memory === undefined) throw notThere(number, memories.length)
  mustBeUtf8(file)
  const after = new TextEncoder().encode(withoutMemory(file.text, memory))
  const changes = changeSet(`Forget "${memory.text}"`, [{ kind: 'edit', path: file.path, before: file.hash, after }])
  return { changes, forgotten: memory.text }
}

function notThere(number: number, count: number): Failure {
  const advice: FailureDetails =
    count === 0
      ? { hint: 'Nothing is remembered yet.' }
      : { hint: `There is 1 to ${count}.`, command: 'notewright memory list' }
  return new Failure('not-found', `There is no memory ${number}.`, advice)
}
