import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { FailureData } from '../../core/errors.js'
import { visibleText } from '../../core/text/index.js'
import { useHost } from '../ui-host.js'

interface FailureBoxProps {
  failure: FailureData
  title?: string
  /** Actions that can fix it here. */
  children?: ComponentChildren
}

/** An error, and how the user can fix it. */
export function FailureBox({ failure, title = 'Something went wrong', children }: FailureBoxProps) {
  const { Icon } = useHost()
  return (
    <div class="nw-failure">
      <Icon name="warning" />
      <div>
        <p>
          <strong>{title}.</strong> {visibleText(failure.text).text}
        </p>
        {failure.hint && <p>{visibleText(failure.hint).text}</p>}
        {children}
      </div>
    </div>
  )
}

/** An interrupted turn. Its pending call can be planned and requested again. */
export function BrokenTurn({
  when,
  hasPendingApproval,
  onResume,
}: {
  /** "as when Obsidian is closed" */
  when: string
  /** True if an approval was pending when the turn was interrupted. */
  hasPendingApproval: () => Promise<boolean>
  onResume: () => void
}) {
  const [isWaiting, setWaiting] = useState(false)
  useEffect(() => {
    let isLate = false
    hasPendingApproval().then(
      (found) => isLate || setWaiting(found),
      () => undefined,
    )
    return () => {
      isLate = true
    }
  }, [])
  return (
    <p class="nw-notice">
      <span>
        This turn was interrupted, {when}. Changes already made are kept.{' '}
        {isWaiting
          ? 'Requests that needed your approval can be made again with the current notes.'
          : 'Ask again to continue.'}
      </span>
      {isWaiting && (
        <button type="button" onClick={onResume}>
          Plan again
        </button>
      )}
    </p>
  )
}
