import { useEffect, useState } from 'preact/hooks'
import { type NotePath, type Settlement, showChanges } from '../../../core/vault/index.js'
import { type Activity, ActivityView, FailureBox, type PlannedDecision } from '../../../ui/index.js'
import { drawPanel } from '../draw-panel.js'
import { failureOf } from '../failure-of.js'
import type { NotewrightPlugin } from '../plugin.js'

/** How far back the pane looks. */
const mostCalls = 500
const mostChanges = 200

export function mountActivity(element: HTMLElement, plugin: NotewrightPlugin): void {
  drawPanel(element, plugin.app, <ActivityPanel plugin={plugin} />)
}

/** As it is when it is opened; a button looks again. */
function ActivityPanel({ plugin }: { plugin: NotewrightPlugin }) {
  const [activity, setActivity] = useState<Activity | undefined>()
  const [trouble, setTrouble] = useState<unknown>()

  async function look(): Promise<void> {
    try {
      const { vault } = await plugin.opened()
      const [calls, requests, changes, undecided] = await Promise.all([
        vault.log.last(mostCalls),
        vault.log.lastRequests(mostCalls),
        vault.notebook.history({ limit: mostChanges }),
        vault.notebook.unsettled(),
      ])
      setActivity({ calls, requests, changes, undecided })
      setTrouble(undefined)
    } catch (error) {
      setTrouble(error)
    }
  }
  useEffect(() => void look(), [])
  // The window shows what the change did, with the way back.
  const takeBack = (id: string) => void plugin.undo([id])
  async function planDecision(id: string, note: NotePath, how: Settlement): Promise<PlannedDecision> {
    const { notebook } = (await plugin.opened()).vault
    const set = await notebook.vault.planSettle({ id, decisions: [{ note, how }] })
    const changes = await showChanges(set, (path) => notebook.vault.read(path))
    return { changes, apply: () => notebook.apply(set) }
  }

  return (
    <section aria-label="Activity">
      {trouble !== undefined && (
        <FailureBox failure={failureOf(trouble)} title="The activity cannot be shown">
          <button type="button" onClick={() => void look()}>
            Look again
          </button>
        </FailureBox>
      )}
      {activity && (
        <ActivityView
          activity={activity}
          planDecision={planDecision}
          onLookAgain={() => void look()}
          onUndo={takeBack}
          onReview={takeBack}
        />
      )}
    </section>
  )
}
