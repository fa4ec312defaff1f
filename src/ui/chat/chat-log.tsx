import { useEffect, useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks'
import { isRunning, type TranscriptState, waitingPanels } from '../transcript/transcript.js'
import { type ChatActions, TurnView } from './turn-view.js'

/** The visible turns are drawn first; earlier turns follow above, as many at a time as this computer draws quickly. */
const turnsAtFirst = 6
const mostAtOnce = 40
const momentMs = 12

/** Within this distance the view counts as at the end. */
const nearPixels = 60

/** The conversation. Follows new output while its end is visible, and leaves a user's scroll position alone. */
export function ChatLog({ transcript, actions }: { transcript: TranscriptState; actions: ChatActions }) {
  const log = useRef<HTMLDivElement>(null)
  const isFollowing = useRef(true)
  const [isAway, setAway] = useState(false)
  const { turns } = transcript
  const from = useFirstDrawn(turns.length)

  const place = useRef({ top: 0, shownIn: undefined as Document | undefined })

  const onScroll = () => {
    // A scroll event may arrive after its element was removed.
    if (log.current === null) return
    const { scrollHeight, scrollTop, clientHeight } = log.current
    const isAtEnd = scrollHeight - scrollTop - clientHeight < nearPixels
    // Growing content moves the end away; only scrolling up leaves it.
    if (isAtEnd) isFollowing.current = true
    else if (scrollTop < place.current.top) isFollowing.current = false
    place.current.top = scrollTop
    setAway(!isFollowing.current)
  }
  const toEnd = () => {
    // An observer or a timer may call after the log was removed.
    if (log.current === null) return
    log.current.scrollTop = log.current.scrollHeight
    place.current.top = log.current.scrollTop
  }
  const follow = () => {
    isFollowing.current = true
    toEnd()
  }
  // The pressed element stays under the pointer until release: otherwise there would be no click.
  const isPressed = useRef(false)
  const onPointerDown = ({ view }: PointerEvent) => {
    isPressed.current = true
    const letGo = () => {
      view?.removeEventListener('pointerup', letGo)
      view?.removeEventListener('pointercancel', letGo)
      // The click comes after this.
      setTimeout(() => {
        isPressed.current = false
        if (log.current !== null && isFollowing.current && shownPanel.current === null) toEnd()
      }, 0)
    }
    view?.addEventListener('pointerup', letGo)
    view?.addEventListener('pointercancel', letGo)
  }
  const shownPanel = useRef<Element | null>(null)
  useLayoutEffect(() => {
    // Looking for one through a long conversation takes a while: only where one waits.
    const panel = waitingPanels(transcript).length > 0 ? log.current!.querySelector('[data-panel]') : null
    const isNew = panel !== null && panel !== shownPanel.current
    shownPanel.current = panel
    if (!isFollowing.current || isPressed.current) return
    // A request is scrolled to its beginning.
    if (isNew) panel.scrollIntoView({ block: 'start' })
    else if (panel === null) toEnd()
  }, [transcript])

  useLayoutEffect(() => {
    if (isFollowing.current && !isPressed.current && shownPanel.current === null) toEnd()
  }, [from])

  // Heights also change without a new event: turns come into view, pictures load, the window or the field is resized.
  useEffect(() => {
    const observer = new ResizeObserver(() => {
      if (isFollowing.current && !isPressed.current && shownPanel.current === null) toEnd()
    })
    observer.observe(log.current!)
    observer.observe(log.current!.firstElementChild!)
    return () => observer.disconnect()
  }, [])

  useLayoutEffect(() => {
    const { top, shownIn } = place.current
    const { ownerDocument } = log.current!
    place.current.shownIn = ownerDocument
    // Taken to another window it begins at its top.
    if (shownIn === undefined || shownIn === ownerDocument) return
    if (isFollowing.current) toEnd()
    else log.current!.scrollTop = top
  })

  return (
    <div class="nw-log-frame">
      <div
        class="nw-log"
        role="log"
        aria-label="Chat"
        aria-busy={isRunning(transcript)}
        aria-live="off"
        tabIndex={0}
        ref={log}
        onScroll={onScroll}
        onPointerDown={onPointerDown}
      >
        <div>
          {turns.slice(from).map((turn) => (
            <TurnView key={turn.key} turn={turn} actions={actions} />
          ))}
        </div>
      </div>
      {isAway && (
        <button type="button" class="nw-latest" onClick={follow}>
          Jump to latest
        </button>
      )}
    </div>
  )
}

/**
 * Index of the first drawn turn. If many turns arrive together, as with an opened conversation, drawing starts near
 * their end.
 */
function useFirstDrawn(turns: number): number {
  const [, drawAgain] = useReducer((times: number) => times + 1, 0)
  const from = useRef(0)
  const known = useRef(0)
  const atOnce = useRef(turnsAtFirst)
  const startedAt = useRef<number | undefined>(undefined)
  if (turns - known.current > turnsAtFirst) from.current = turns - turnsAtFirst
  if (turns < known.current) from.current = 0
  known.current = turns
  const first = from.current
  useEffect(() => {
    if (first === 0) return
    const timer = setTimeout(() => {
      startedAt.current = performance.now()
      from.current = Math.max(0, from.current - atOnce.current)
      drawAgain(undefined)
    }, 0)
    return () => clearTimeout(timer)
  }, [first])
  useLayoutEffect(() => {
    if (startedAt.current === undefined) return
    const isQuick = performance.now() - startedAt.current < momentMs
    atOnce.current = isQuick ? Math.min(mostAtOnce, atOnce.current * 2) : Math.max(1, atOnce.current >> 1)
    startedAt.current = undefined
  }, [first])
  return first
}

/** Current status in words: drawn, and announced once to screen readers. Never text of an answer. */
export function StatusLine({ transcript }: { transcript: TranscriptState }) {
  const last = transcript.turns[transcript.turns.length - 1]
  const waits = waitingPanels(transcript).length > 0
  const said =
    last === undefined ? '' : waits ? 'Needs your approval' : last.ended ? endings[last.ended.reason] : 'Answering'
  return (
    <div class="nw-status">
      <span role="status" class="nw-said">
        {said}
      </span>
      {waits && <span aria-hidden="true">Needs your approval</span>}
    </div>
  )
}

const endings = {
  answered: 'Answered',
  'step-limit': 'Stopped at the step limit',
  'handed-over': 'Handed over',
  stopped: 'Stopped',
  failed: 'Failed',
}
