import { useEffect, useState } from 'preact/hooks'
import { type Activity, ActivityView, FailureBox } from '../../../ui/index.js'
import { failureOf, getJson } from './ask-server.js'

/** As it is when it is opened; a button looks again. */
export function ActivityPane({ onUndo }: { onUndo(ids: string[]): void }) {
  const [activity, setActivity] = useState<Activity | undefined>()
  const [trouble, setTrouble] = useState<unknown>()

  async function look(): Promise<void> {
    try {
      setActivity(await getJson<Activity>('activity'))
      setTrouble(undefined)
    } catch (error) {
      setTrouble(error)
    }
  }
  useEffect(() => void look(), [])

  return (
    <section class="page-search" aria-label="Activity">
      <h2 class="nw-said">Activity</h2>
      <button type="button" class="nw-quiet" onClick={() => void look()}>
        Look again
      </button>
      {trouble !== undefined && <FailureBox failure={failureOf(trouble)} title="The activity cannot be shown" />}
      {activity && <ActivityView activity={activity} onUndo={(id) => onUndo([id])} />}
    </section>
  )
}
