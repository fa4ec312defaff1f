import { useEffect, useState } from 'preact/hooks'
import type { FailureData } from '../../core/errors.js'
import { count, visibleText } from '../../core/text/index.js'
import type { ShownChange } from '../../core/vault/index.js'
import { FailureBox } from '../chat/index.js'
import { useHost } from '../ui-host.js'
import { ChangeList } from './change-list.js'

/** What taking one change back would do. */
export interface UndoPlan {
  title: string
  /** Notes that were edited since, whose edits stay. */
  merged: readonly string[]
  changes: readonly ShownChange[]
}

/** What becomes of edits that are in the way. */
export type UndoSettle = 'keep-mine' | 'take-back'

export interface UndoViewProps<Plan extends UndoPlan> {
  ids: readonly string[]
  plan: (id: string, settle?: UndoSettle) => Promise<Plan>
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
  const [next] = left

  async function look(settle?: UndoSettle): Promise<void> {
    setPlan(undefined)
    setTrouble(undefined)
    try {
      setPlan(await makePlan(next, settle))
    } catch (error) {
      setTrouble(failureOf(error))
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
      {trouble?.code === 'conflict' && (
        <div class="nw-buttons">
          <button type="button" onClick={() => void look('keep-mine')}>
            Keep what was written since
          </button>
          <button type="button" onClick={() => void look('take-back')}>
            Take that back too
          </button>
          <button type="button" onClick={() => void look()}>
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
