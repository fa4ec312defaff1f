import { useId, useState } from 'preact/hooks'
import type { FailureData } from '../../core/errors.js'
import { visibleText } from '../../core/text/index.js'
import type { HistoryEntry, NotePath, Settlement, ShownChange } from '../../core/vault/index.js'
import { FailureBox } from '../chat/index.js'
import { useHost } from '../ui-host.js'
import { ChangeList } from './change-list.js'

/** What a decision would do, and the way to do exactly that. */
export interface PlannedDecision {
  changes: readonly ShownChange[]
  apply(): Promise<unknown>
}

export interface Decisions {
  planDecision: (changeSet: string, note: NotePath, how: Settlement) => Promise<PlannedDecision>
  onDecided: () => void
}

const ways: Record<Settlement, string> = {
  keep: 'Keep it as it is now',
  'take-back': 'Make it what it was before the change',
  finish: 'Make it what the change meant it to be',
}

/** Notes that somebody had changed while a change was cut off: they are as they were left, until a person decides. */
export function UndecidedNotes({ entry, ...decisions }: { entry: HistoryEntry } & Decisions) {
  const { id, title, unsettled } = entry
  if (unsettled === undefined) return null
  return (
    <section class="nw-undecided" aria-label={visibleText(`To decide: ${title}`).text}>
      <p>
        <strong>{visibleText(title).text}</strong> was cut off and then{' '}
        {unsettled.went === 'finished' ? 'finished' : 'taken back'}. Meanwhile someone else had changed what is named
        here; it was left as it is.
      </p>
      {unsettled.notes.map((note) => (
        <UndecidedNote key={note} changeSet={id} note={note} {...decisions} />
      ))}
    </section>
  )
}

function UndecidedNote({
  changeSet,
  note,
  planDecision,
  onDecided,
}: { changeSet: string; note: NotePath } & Decisions) {
  const { failureOf, openNote } = useHost()
  const name = useId()
  const [chosen, setChosen] = useState<Settlement | undefined>()
  const [plan, setPlan] = useState<PlannedDecision | undefined>()
  const [trouble, setTrouble] = useState<FailureData | undefined>()

  async function choose(how: Settlement): Promise<void> {
    setChosen(how)
    setPlan(undefined)
    setTrouble(undefined)
    try {
      setPlan(await planDecision(changeSet, note, how))
    } catch (error) {
      setTrouble(failureOf(error))
    }
  }

  async function decide(planned: PlannedDecision): Promise<void> {
    try {
      await planned.apply()
      onDecided()
    } catch (error) {
      setPlan(undefined)
      setTrouble(failureOf(error))
    }
  }

  return (
    <fieldset class="nw-settle-place">
      <legend>
        <button type="button" class="nw-link" onClick={() => openNote(note)}>
          {visibleText(note).text}
        </button>
      </legend>
      {(Object.keys(ways) as Settlement[]).map((how) => (
        <label class="nw-check" key={how}>
          <input type="radio" name={name} checked={chosen === how} onChange={() => void choose(how)} /> {ways[how]}
        </label>
      ))}
      {trouble && <FailureBox failure={trouble} title="That cannot be done" />}
      {plan && (
        <>
          {plan.changes.length === 0 ? (
            <p class="nw-remark">That changes nothing in your notes.</p>
          ) : (
            <ChangeList changes={plan.changes} />
          )}
          <div class="nw-buttons">
            <button type="button" class="mod-cta" onClick={() => void decide(plan)}>
              Decide so
            </button>
          </div>
        </>
      )}
    </fieldset>
  )
}
