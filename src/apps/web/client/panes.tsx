import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { CheckReport } from '../../../core/check/index.js'
import type { NoteGraph } from '../../../core/index/index.js'
import type { Activity } from '../../../core/session/index.js'
import { visibleText } from '../../../core/text/index.js'
import type { ConflictResolution, NotePath, Resolution, ShownChange } from '../../../core/vault/index.js'
import {
  ActivityView,
  ChangeList,
  CheckView,
  DrawnIcon,
  FailureBox,
  type FixPlan,
  type PlannedDecision,
  Skeleton,
  type UndoPlan,
  UndoView,
  type WantedFix,
} from '../../../ui/index.js'
import { failureOf, getJson, postJson, requestServer } from './ask-server.js'
import { useLoaded } from './use-loaded.js'

type GraphView = ComponentType<{ graph: NoteGraph }>

/** A graph and its renderer, both loaded on demand. */
export function GraphPane({ question }: { question: string }) {
  const [shown, setShown] = useState<{ graph: NoteGraph; View: GraphView } | undefined>()
  const [trouble, setTrouble] = useState<unknown>()

  useEffect(() => {
    let isLate = false
    setTrouble(undefined)
    Promise.all([getJson<NoteGraph>(`graph?${question}`), import('../../../ui/graph/graph-view.js')]).then(
      ([graph, { GraphView }]) => isLate || setShown({ graph, View: GraphView }),
      (error) => isLate || setTrouble(error),
    )
    return () => {
      isLate = true
    }
  }, [question])

  if (trouble !== undefined) return <FailureBox failure={failureOf(trouble)} title="The graph cannot be shown" />
  if (shown === undefined) return <p class="nw-remark">Following the links…</p>
  return <shown.View graph={shown.graph} />
}

const depths = { 1: 'Linked with it', 2: 'Up to two links away', 3: 'Up to three links away' }

/** Graph of the notes linked to a note. */
export function NoteGraphPane({ path }: { path: string }) {
  const [depth, setDepth] = useState('1')
  return (
    <>
      <select aria-label="How far" value={depth} onChange={(event) => setDepth(event.currentTarget.value)}>
        {Object.entries(depths).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <GraphPane question={`target=${encodeURIComponent(path)}&depth=${depth}`} />
    </>
  )
}

interface MadeChange {
  id: string
  title: string
  changes: ShownChange[]
}

/** Changes of each call as they are in the notes now, with undo. */
export function ReviewPane({ ids, onUndo }: { ids: readonly string[]; onUndo(ids: string[]): void }) {
  return (
    <div class="nw-undo">
      {ids.map((id) => (
        <Made key={id} id={id} />
      ))}
      <div class="nw-buttons">
        <button type="button" onClick={() => onUndo([...ids])}>
          Undo…
        </button>
      </div>
    </div>
  )
}

function Made({ id }: { id: string }) {
  const { answer, trouble } = useLoaded<MadeChange>(`changes/${encodeURIComponent(id)}`)
  if (trouble !== undefined) return <FailureBox failure={failureOf(trouble)} title="This change cannot be shown" />
  if (answer === undefined) return <p class="nw-remark">Looking…</p>
  return (
    <>
      <p>
        <strong>{visibleText(answer.title).text}</strong>
      </p>
      <ChangeList changes={answer.changes} />
    </>
  )
}

type KeptPlan = UndoPlan & { id: string }

const plan = (id: string, settle?: readonly ConflictResolution[]) => postJson<KeptPlan>('undo', { id, settle })

const apply = ({ id }: KeptPlan) => postJson(`plans/${id}`)

/** The server stores the plan; confirmation refers to it by id. */
export function UndoPane({ ids, onDone }: { ids: readonly string[]; onDone(text: string): void }) {
  return <UndoView ids={ids} plan={plan} apply={apply} onDone={onDone} />
}

async function planDecision(changeSet: string, note: NotePath, how: Resolution): Promise<PlannedDecision> {
  const { id, changes } = await postJson<{ id: string; changes: ShownChange[] }>('settle', { id: changeSet, note, how })
  return { changes, apply: () => postJson(`plans/${id}`) }
}

/** Loaded when opened; a button refreshes it. */
export function ActivityPane({
  onUndo,
  onReview,
  onOpenChat,
}: {
  onUndo(ids: readonly string[]): void
  onReview(ids: readonly string[]): void
  onOpenChat(id: string): void
}) {
  const { answer, trouble, look } = useLoaded<Activity>('activity')
  return (
    <section class="page-view" aria-label="Activity">
      <div class="page-view-body">
        <header class="page-view-head">
          <h2 class="nw-grow">Activity</h2>
          <button type="button" class="nw-btn-plain" onClick={() => void look()}>
            <DrawnIcon name="retry" /> Refresh
          </button>
        </header>
        {trouble !== undefined && (
          <FailureBox failure={failureOf(trouble)} title="The activity cannot be shown">
            <button type="button" onClick={() => void look()}>
              Refresh
            </button>
          </FailureBox>
        )}
        {answer && (
          <ActivityView
            activity={answer}
            planDecision={planDecision}
            onLookAgain={() => void look()}
            onUndo={onUndo}
            onReview={onReview}
            onOpenChat={onOpenChat}
          />
        )}
        {answer === undefined && trouble === undefined && <Skeleton label="Loading the activity" />}
      </div>
    </section>
  )
}

/** Findings of each kind that are shown at first. */
const findingsShown = 20

async function check(signal: AbortSignal, more?: { kind: string; limit: number }): Promise<CheckReport> {
  const wanted = more === undefined ? { limit: findingsShown } : { only: [more.kind], limit: more.limit }
  const headers = { 'Content-Type': 'application/json' }
  const answer = await requestServer('check', { method: 'POST', headers, body: JSON.stringify(wanted), signal })
  return (await answer.json()) as CheckReport
}

const planFix = (wanted: WantedFix) => postJson<FixPlan & { id: string }>('check/fix', wanted)

/** Problems of the vault, with their fixes. */
export function CheckPane() {
  return (
    <section class="page-view" aria-label="Check vault">
      <div class="page-view-body">
        <header class="page-view-head">
          <h2>Check vault</h2>
        </header>
        <CheckView check={check} plan={planFix} apply={({ id }) => postJson(`plans/${id}`)} />
      </div>
    </section>
  )
}
