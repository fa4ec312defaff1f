import { useEffect, useState } from 'preact/hooks'

/** A turn that nobody works on any more. What waited for the person then can be planned and asked about anew. */
export function BrokenTurn({
  when,
  waits,
  onGoOn,
}: {
  /** "as when Obsidian is closed" */
  when: string
  /** Whether something waited for the person. */
  waits: () => Promise<boolean>
  onGoOn: () => void
}) {
  const [isWaiting, setWaiting] = useState(false)
  useEffect(() => {
    let isLate = false
    waits().then(
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
        This turn broke off, {when}. What was done until then stays done.{' '}
        {isWaiting ? 'What waited for you can be planned again, on the notes as they are now.' : 'Ask again to go on.'}
      </span>
      {isWaiting && (
        <button type="button" onClick={onGoOn}>
          Plan again
        </button>
      )}
    </p>
  )
}
