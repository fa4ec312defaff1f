import { useId, useState } from 'preact/hooks'
import type { FailureData } from '../../core/errors.js'
import { visibleText } from '../../core/text/index.js'
import type { HistoryEntry, NotePath, Resolution, ShownChange } from '../../core/vault/index.js'
import { FailureBox } from '../chat/failure-box.js'
import { useHost } from '../ui-host.js'
import { ChangeList } from './undo-view.js'

/** The result of a decision, and a function that applies it. */
export interface PlannedDecision {
  changes: readonly ShownChange[]
  apply(): Promise<unknown>
}

export interface DecisionActions {
  planDecision: (changeSet: string, note: NotePath, how: Resolution) => Promise<PlannedDecision>
  onDecided: () => void
}

const ways: Record<Resolution, string> = {
  keep: 'Keep the note as it is',
  'take-back': 'Undo the change in this note',
  finish: 'Finish the change in this note',
}

/** Notes that others changed during an interrupted change: they stay as they are until the user decides. */
export function UndecidedNotesView({ entry, ...decisions }: { entry: HistoryEntry } & DecisionActions) {
  const { id, title, unsettled } = entry
  if (unsettled === undefined) return null
  return (
    <section class="nw-undecided" aria-label={visibleText(`To decide: ${title}`).text}>
      <p>
        <strong>{visibleText(title).text}</strong> was interrupted and then{' '}
        {unsettled.went === 'finished' ? 'completed' : 'undone'}. These notes were edited in the meantime and are
        unchanged.
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
}: { changeSet: string; note: NotePath } & DecisionActions) {
  const { failureOf, openNote } = useHost()
  const name = useId()
  const [chosen, setChosen] = useState<Resolution | undefined>()
  const [plan, setPlan] = useState<PlannedDecision | undefined>()
  const [trouble, setTrouble] = useState<FailureData | undefined>()

  async function choose(how: Resolution): Promise<void> {
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
      {(Object.keys(ways) as Resolution[]).map((how) => (
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
            <button type="button" class="nw-btn-main" onClick={() => void decide(plan)}>
              Apply
            </button>
          </div>
        </>
      )}
    </fieldset>
  )
}
