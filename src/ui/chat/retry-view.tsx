import { useEffect, useState } from 'preact/hooks'
import { visibleText } from '../../core/text/index.js'
import type { RetryPart } from '../transcript/transcript.js'
import { useHost } from '../ui-host.js'

/** A request that is sent again: why, when, which attempt it is, and Stop. One line once it is over. */
export function RetryView({
  retry: { why, attempt, attempts, until, waitMs },
  isLive,
  stop,
}: {
  retry: RetryPart
  isLive: boolean
  stop?: (() => void) | undefined
}) {
  const { Icon } = useHost()
  const seconds = useSecondsLeft(until, waitMs)
  const number = attempt === undefined || attempts === undefined ? '' : ` (${attempt} of ${attempts})`
  const reason = visibleText(why).text
  if (!isLive) {
    return (
      <p class="nw-remark">
        {reason} Tried again{number}.
      </p>
    )
  }
  return (
    <div class="nw-failure nw-failure-wait">
      <Icon name="clock" />
      <div>
        <p>
          <strong>{reason}</strong>
        </p>
        <p>
          {seconds > 0 ? `Trying again in ${seconds} s` : 'Trying again now'}
          {number}. The work done so far is kept.
        </p>
        {stop && (
          <div class="nw-buttons">
            <button type="button" class="nw-btn-small" onClick={stop}>
              <Icon name="stop" /> Stop
            </button>
          </div>
        )}
      </div>
    </div>
  )
}

/** The clock of the server may differ from that of the browser: never more than the whole wait. */
function useSecondsLeft(until: number, waitMs: number): number {
  const left = () => Math.max(0, Math.min(Math.ceil(waitMs / 1000), Math.ceil((until - Date.now()) / 1000)))
  const [seconds, setSeconds] = useState(left)
  useEffect(() => {
    const timer = setInterval(() => setSeconds(left), 500)
    return () => clearInterval(timer)
  }, [until, waitMs])
  return seconds
}
