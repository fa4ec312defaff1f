import { Failure, type FailureDetails } from '../../errors.js'
import { nearestNames } from '../../names/index.js'
import { foldWords } from '../store/found-words.js'
import type { SessionStore, SessionSummary } from '../store/session-store.js'

/** The session a person means: by its id, by a beginning that only one id has, or by its title. */
export async function findSession(store: SessionStore, name: string): Promise<SessionSummary> {
  const all = await store.list()
  const wanted = name.trim()
  const exact = all.find(({ id }) => id === wanted)
  if (exact !== undefined) return exact
  const title = foldWords(wanted)
  const begun = wanted.length < leastBeginning ? [] : all.filter(({ id }) => id.startsWith(wanted))
  const named = all.filter((session) => title !== '' && foldWords(session.title) === title)
  const found = [...new Set([...begun, ...named])]
  if (found.length === 1) return found[0]
  if (found.length > 1) {
    throw new Failure('ambiguous', `${found.length} sessions are meant by ${wanted}.`, {
      hint: `Name one by its id: ${found.slice(0, 5).map(shown).join(', ')}`,
    })
  }
  throw unknownSession(wanted, all)
}

const leastBeginning = 4

/** What near ids and titles there are. */
export function unknownSession(name: string, all: readonly SessionSummary[]): Failure {
  const near = new Set([
    ...nearestNames(
      name,
      all.slice(0, mostCompared).map(({ id }) => id),
    ),
    ...nearestNames(
      name,
      all.slice(0, mostCompared).map(({ title }) => title),
    ),
  ])
  const meant = all.filter(({ id, title }) => near.has(id) || near.has(title)).slice(0, 3)
  const advice: FailureDetails =
    meant.length > 0
      ? { hint: `Did you mean ${meant.map(shown).join(' or ')}?` }
      : all.length > 0
        ? { hint: 'See which there are.', command: 'notewright sessions list' }
        : { hint: 'None has been kept in this vault yet.' }
  return new Failure('not-found', `Session not found: ${name}`, {
    ...advice,
    data: { near: meant.map(({ id }) => id) },
  })
}

const mostCompared = 2000

const shown = ({ id, title }: SessionSummary): string => (title === '' ? id : `${id} (${title})`)
