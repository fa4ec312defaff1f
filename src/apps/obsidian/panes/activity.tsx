import { useEffect, useState } from 'preact/hooks'
import { type Activity, ActivityView, FailureBox } from '../../../ui/index.js'
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
      const [calls, requests, changes] = await Promise.all([
        vault.log.last(mostCalls),
        vault.log.lastRequests(mostCalls),
        vault.notebook.history({ limit: mostChanges }),
      ])
      setActivity({ calls, requests, changes })
      setTrouble(undefined)
    } catch (error) {
      setTrouble(error)
    }
  }
  useEffect(() => void look(), [])
  // The window shows what the change did, with the way back.
  const takeBack = (id: string) => void plugin.undo([id])

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
        <ActivityView activity={activity} onLookAgain={() => void look()} onUndo={takeBack} onReview={takeBack} />
      )}
    </section>
  )
}
