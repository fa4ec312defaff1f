import { useEffect, useId, useState } from 'preact/hooks'
import type { FailureData } from '../../core/errors.js'
import { count, visibleText } from '../../core/text/index.js'
import type { ConflictChoice, ConflictResolution, ShownChange, UndoConflict } from '../../core/vault/index.js'
import { DiffView, ReplacedLines } from '../approval/changes-body.js'
import { FailureBox } from '../chat/failure-box.js'
import { useHost } from '../ui-host.js'

/** The result of undoing one change. */
export interface UndoPlan {
  title: string
  /** Notes that were edited since, whose edits stay. */
  merged: readonly string[]
  changes: readonly ShownChange[]
}

interface UndoViewProps<Plan extends UndoPlan> {
  ids: readonly string[]
  /** `settle`: the choices for places that were edited since. */
  plan: (id: string, settle?: readonly ConflictResolution[]) => Promise<Plan>
  /** Applies exactly the shown plan. */
  apply: (plan: Plan) => Promise<unknown>
  onDone: (text: string) => void
}

/** Preview of an undo, and the button that applies it. Several changes are undone newest first. */
export function UndoView<Plan extends UndoPlan>({ ids, plan: makePlan, apply, onDone }: UndoViewProps<Plan>) {
  const { failureOf } = useHost()
  const [left, setLeft] = useState(() => [...ids].reverse())
  const [plan, setPlan] = useState<Plan | undefined>()
  const [trouble, setTrouble] = useState<FailureData | undefined>()
  const [conflicts, setConflicts] = useState<readonly UndoConflict[]>([])
  const [next] = left

  async function look(settle?: readonly ConflictResolution[]): Promise<void> {
    if (next === undefined) return
    setPlan(undefined)
    setTrouble(undefined)
    if (settle === undefined) setConflicts([])
    try {
      setPlan(await makePlan(next, settle))
    } catch (error) {
      const failure = failureOf(error)
      setTrouble(failure)
      // The choice may turn out to be invalid: then another can be made.
      setConflicts((shown) => conflictsIn(failure) ?? shown)
    }
  }
  useEffect(() => void look(), [next])

  async function take(planned: Plan): Promise<void> {
    try {
      await apply(planned)
      if (left.length > 1) setLeft(left.slice(1))
      else onDone(`${count(planned.changes.length, 'change')} undone: ${planned.title}`)
    } catch (error) {
      setTrouble(failureOf(error))
    }
  }

  return (
    <div class="nw-undo">
      {left.length > 1 && <p class="nw-remark">{left.length} changes are undone one after the other, newest first.</p>}
      {trouble && <FailureBox failure={trouble} title="This can't be undone as it is" />}
      {conflicts.length > 0 && (
        <SettleList key={keyOf(conflicts)} conflicts={conflicts} onSettle={(places) => void look(places)} />
      )}
      {trouble && (
        <div class="nw-buttons">
          <button type="button" class="nw-btn-plain nw-btn-small" onClick={() => void look()}>
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
            <button type="button" class="nw-btn-main" onClick={() => void take(plan)}>
              Undo {count(plan.changes.length, 'change')}
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

/** New conflicts reset the choices. */
const keyOf = (conflicts: readonly UndoConflict[]): string => JSON.stringify(conflicts)

const edited: Record<ConflictChoice, string> = {
  'keep-mine': 'Keep later edits',
  'take-back': 'Take that back too',
}
/** For a line that was removed since. */
const gone: Record<ConflictChoice, string> = { 'keep-mine': 'Leave it away', 'take-back': 'Bring it back' }

/** Places that were edited since: the current lines, the restored lines, and the choice, one by one. */
function SettleList({
  conflicts,
  onSettle,
}: {
  conflicts: readonly UndoConflict[]
  onSettle: (places: ConflictResolution[]) => void
}) {
  const [chosen, setChosen] = useState<Record<number, ConflictChoice>>({})
  const left = conflicts.filter((_, at) => chosen[at] === undefined).length
  const settle = () =>
    onSettle(conflicts.map(({ path, line }, at) => ({ path, line, settled: chosen[at] ?? 'keep-mine' })))
  const all = (settled: ConflictChoice) => setChosen(Object.fromEntries(conflicts.map((_, at) => [at, settled])))
  return (
    <div class="nw-settle">
      {conflicts.length > 1 && (
        <div class="nw-buttons">
          <button type="button" class="nw-btn-plain nw-btn-small" onClick={() => all('keep-mine')}>
            Keep all
          </button>
          <button type="button" class="nw-btn-plain nw-btn-small" onClick={() => all('take-back')}>
            Take all back
          </button>
        </div>
      )}
      {conflicts.map((conflict, at) => (
        <Place
          key={at}
          conflict={conflict}
          chosen={chosen[at]}
          choose={(settled) => setChosen({ ...chosen, [at]: settled })}
        />
      ))}
      <div class="nw-buttons">
        <button type="button" class="nw-btn-main" disabled={left > 0} onClick={settle}>
          Show what that does
        </button>
        {left > 0 && <span class="nw-remark">{count(left, 'place')} to decide</span>}
      </div>
    </div>
  )
}

function Place({
  conflict: { path, line, why, scope, mine, earlier },
  chosen,
  choose,
}: {
  conflict: UndoConflict
  chosen: ConflictChoice | undefined
  choose: (settled: ConflictChoice) => void
}) {
  const name = useId()
  const ways = mine.length === 0 ? gone : edited
  return (
    <fieldset class="nw-settle-place">
      <legend>
        <strong>{visibleText(path).text}</strong>
        {scope === 'lines' && `, line ${line},`} {visibleText(why).text}
      </legend>
      <div role="group" class="nw-diff nw-scroll" aria-label={`Now and before, in ${path}`} tabIndex={0}>
        <ReplacedLines removed={numbered(mine, line)} added={numbered(earlier, line)} />
      </div>
      {(Object.keys(ways) as ConflictChoice[]).map((way) => (
        <label class="nw-check" key={way}>
          <input type="radio" name={name} checked={chosen === way} onChange={() => choose(way)} /> {ways[way]}
        </label>
      ))}
    </fieldset>
  )
}

const numbered = (lines: readonly string[], first: number) =>
  lines.map((text, at) => ({ number: first + at, text: text.replace(/\n$/, '') }))

/** Changes of notes, each with its diff. */
export function ChangeList({ changes }: { changes: readonly ShownChange[] }) {
  return (
    <>
      {changes.map(({ kind, path, to, diff }, at) => (
        <div key={at}>
          <p>
            {kind} {visibleText(path).text}
            {to && ` to ${visibleText(to).text}`}
          </p>
          {diff !== undefined && <DiffView diff={diff} label={`Changes in ${path}`} />}
        </div>
      ))}
    </>
  )
}
