import { useEffect, useState } from 'preact/hooks'
import { count, visibleText } from '../../../core/text/index.js'
import type { ShownChange } from '../../../core/vault/index.js'
import { DiffView, FailureBox } from '../../../ui/index.js'
import { failureOf, postJson, Refused } from './ask-server.js'

interface UndoPlan {
  id: string
  title: string
  merged: string[]
  changes: ShownChange[]
}

/** What taking a change back would do, and the button that does exactly that. Several are taken back from the newest on. */
export function UndoPane({ ids, onDone }: { ids: readonly string[]; onDone(text: string): void }) {
  const [left, setLeft] = useState(() => [...ids].reverse())
  const [plan, setPlan] = useState<UndoPlan | undefined>()
  const [trouble, setTrouble] = useState<unknown>()
  const [next] = left

  async function look(settle?: 'keep-mine' | 'take-back'): Promise<void> {
    setPlan(undefined)
    setTrouble(undefined)
    try {
      setPlan(await postJson<UndoPlan>('undo', { id: next, settle }))
    } catch (error) {
      setTrouble(error)
    }
  }
  useEffect(() => void look(), [next])

  async function apply({ id, title, changes }: UndoPlan): Promise<void> {
    try {
      await postJson(`undo/${id}`)
      if (left.length > 1) setLeft(left.slice(1))
      else onDone(`${count(changes.length, 'change')} taken back: ${title}`)
    } catch (error) {
      setTrouble(error)
    }
  }

  const isConflict = trouble instanceof Refused && trouble.failure.code === 'conflict'
  return (
    <div class="page-undo">
      {left.length > 1 && (
        <p class="nw-remark">{left.length} changes are taken back one after the other, the newest first.</p>
      )}
      {trouble !== undefined && (
        <FailureBox failure={failureOf(trouble)} title="It cannot be taken back as it stands" />
      )}
      {isConflict && (
        <div class="nw-buttons">
          <button type="button" onClick={() => look('keep-mine')}>
            Keep what was written since
          </button>
          <button type="button" onClick={() => look('take-back')}>
            Take that back too
          </button>
          <button type="button" onClick={() => look()}>
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
          {plan.changes.map(({ kind, path, to, diff }, at) => (
            <div key={at}>
              <p>
                {kind} {visibleText(path).text}
                {to && ` to ${visibleText(to).text}`}
              </p>
              {diff !== undefined && <DiffView diff={diff} label={`Changes in ${path}`} />}
            </div>
          ))}
          <div class="nw-buttons">
            <button type="button" class="mod-cta" onClick={() => apply(plan)}>
              Take back {count(plan.changes.length, 'change')}
            </button>
          </div>
        </>
      )}
    </div>
  )
}
