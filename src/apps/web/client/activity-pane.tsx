import type { NotePath, Settlement, ShownChange } from '../../../core/vault/index.js'
import { type Activity, ActivityView, FailureBox, type PlannedDecision } from '../../../ui/index.js'
import { failureOf, postJson } from './ask-server.js'
import { useLoaded } from './use-loaded.js'

async function planDecision(changeSet: string, note: NotePath, how: Settlement): Promise<PlannedDecision> {
  const { id, changes } = await postJson<{ id: string; changes: ShownChange[] }>('settle', { id: changeSet, note, how })
  return { changes, apply: () => postJson(`plans/${id}`) }
}

/** As it is when it is opened; a button looks again. */
export function ActivityPane({ onUndo, onReview }: { onUndo(ids: string[]): void; onReview(ids: string[]): void }) {
  const { answer, trouble, look } = useLoaded<Activity>('activity')
  return (
    <section class="page-search" aria-label="Activity">
      <h2 class="nw-said">Activity</h2>
      {trouble !== undefined && (
        <FailureBox failure={failureOf(trouble)} title="The activity cannot be shown">
          <button type="button" onClick={() => void look()}>
            Look again
          </button>
        </FailureBox>
      )}
      {answer && (
        <ActivityView
          activity={answer}
          planDecision={planDecision}
          onLookAgain={() => void look()}
          onUndo={(id) => onUndo([id])}
          onReview={(id) => onReview([id])}
        />
      )}
    </section>
  )
}
