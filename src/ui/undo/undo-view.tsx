import { useEffect, useState } from 'preact/hooks'
import type { FailureData } from '../../core/errors.js'
import { count, visibleText } from '../../core/text/index.js'
import type { SettledPlace, ShownChange, UndoConflict } from '../../core/vault/index.js'
import { FailureBox } from '../chat/index.js'
import { useHost } from '../ui-host.js'
import { ChangeList } from './change-list.js'
import { SettleList } from './settle-list.js'

/** What taking one change back would do. */
export interface UndoPlan {
  title: string
  /** Notes that were edited since, whose edits stay. */
  merged: readonly string[]
  changes: readonly ShownChange[]
}

export interface UndoViewProps<Plan extends UndoPlan> {
  ids: readonly string[]
  /** `settle`: whose lines stay where they were edited since. */
  plan: (id: string, settle?: readonly SettledPlace[]) => Promise<Plan>
  /** Does exactly what was planned. */
  apply: (plan: Plan) => Promise<unknown>
  onDone: (text: string) => void
}

/** What taking a change back would do, and the button that does exactly that. Several are taken back from the newest on. */
export function UndoView<Plan extends UndoPlan>({ ids, plan: makePlan, apply, onDone }: UndoViewProps<Plan>) {
  const { failureOf } = useHost()
  const [left, setLeft] = useState(() => [...ids].reverse())
  const [plan, setPlan] = useState<Plan | undefined>()
  const [trouble, setTrouble] = useState<FailureData | undefined>()
  const [conflicts, setConflicts] = useState<readonly UndoConflict[]>([])
  const [next] = left

  async function look(settle?: readonly SettledPlace[]): Promise<void> {
    setPlan(undefined)
    setTrouble(undefined)
    if (settle === undefined) setConflicts([])
    try {
      setPlan(await makePlan(next, settle))
    } catch (error) {
      const failure = failureOf(error)
      setTrouble(failure)
      // What was chosen may come to nothing: then it can be chosen otherwise.
      setConflicts((shown) => conflictsIn(failure) ?? shown)
    }
  }
  useEffect(() => void look(), [next])

  async function take(planned: Plan): Promise<void> {
    try {
      await apply(planned)
      if (left.length > 1) setLeft(left.slice(1))
      else onDone(`${count(planned.changes.length, 'change')} taken back: ${planned.title}`)
    } catch (error) {
      setTrouble(failureOf(error))
    }
  }

  return (
    <div class="nw-undo">
      {left.length > 1 && (
        <p class="nw-remark">{left.length} changes are taken back one after the other, the newest first.</p>
      )}
      {trouble && <FailureBox failure={trouble} title="It cannot be taken back as it stands" />}
      {conflicts.length > 0 && (
        <SettleList key={keyOf(conflicts)} conflicts={conflicts} onSettle={(places) => void look(places)} />
      )}
      {trouble && (
        <div class="nw-buttons">
          <button type="button" class="nw-quiet" onClick={() => void look()}>
            Look again
          </button>
        </div>
      )}
      {plan && (
        <>
          <p>
            <strong>{visibleText(plan.title).text}</strong>
          </p>
          {plan.merged.length > 0 && (
            <p class="nw-remark">Edited since; these edits stay: {visibleText(plan.merged.join(', ')).text}</p>
          )}
          <ChangeList changes={plan.changes} />
          <div class="nw-buttons">
            <button type="button" class="mod-cta" onClick={() => void take(plan)}>
              Take back {count(plan.changes.length, 'change')}
            </button>
          </div>
        </>
      )}
    </div>
  )
}

function conflictsIn({ data }: FailureData): readonly UndoConflict[] | undefined {
  return Array.isArray(data?.conflicts) ? (data.conflicts as UndoConflict[]) : undefined
}

/** Other places are chosen for anew. */
const keyOf = (conflicts: readonly UndoConflict[]): string => JSON.stringify(conflicts)
