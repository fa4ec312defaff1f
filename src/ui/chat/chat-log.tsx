import { useEffect, useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks'
import type { TranscriptState } from '../transcript/index.js'
import { isRunning, waitingPanels } from '../transcript/index.js'
import { type ChatActions, TurnView } from './turn-view.js'

/** What is looked at is drawn at once; earlier turns follow above it, as many at a time as this machine draws in a moment. */
const turnsAtFirst = 6
const mostAtOnce = 40
const momentMs = 12

/** So near to the end counts as being there. */
const nearPixels = 60

/** The conversation. Follows what is written while its end is in sight, and leaves a person who scrolls alone. */
export function ChatLog({ transcript, actions }: { transcript: TranscriptState; actions: ChatActions }) {
  const log = useRef<HTMLDivElement>(null)
  const isFollowing = useRef(true)
  const [isAway, setAway] = useState(false)
  const { turns } = transcript
  const from = useFirstDrawn(turns.length)

  const place = useRef({ top: 0, shownIn: undefined as Document | undefined })

  const onScroll = () => {
    // A scroll may be told of when what was scrolled is gone.
    if (log.current === null) return
    const { scrollHeight, scrollTop, clientHeight } = log.current
    place.current.top = scrollTop
    isFollowing.current = scrollHeight - scrollTop - clientHeight < nearPixels
    setAway(!isFollowing.current)
  }
  const toEnd = () => {
    log.current!.scrollTop = log.current!.scrollHeight
  }
  // What is pressed stays below the pointer until it is let go: it would not be clicked otherwise.
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
    // What asks is read from its beginning.
    if (isNew) panel.scrollIntoView({ block: 'start' })
    else if (panel === null) toEnd()
  }, [transcript])

  useLayoutEffect(() => {
    if (isFollowing.current && !isPressed.current && shownPanel.current === null) toEnd()
  }, [from])

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
        aria-label="Conversation"
        aria-busy={isRunning(transcript)}
        aria-live="off"
        tabIndex={0}
        ref={log}
        onScroll={onScroll}
        onPointerDown={onPointerDown}
      >
        {turns.slice(from).map((turn) => (
          <TurnView key={turn.key} turn={turn} actions={actions} />
        ))}
      </div>
      {isAway && (
        <button type="button" class="nw-latest" onClick={toEnd}>
          Jump to latest
        </button>
      )}
    </div>
  )
}

/** The first turn that is drawn. Where many come at once, as of a conversation that is opened, it begins near their end. */
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

/** What goes on, in words: drawn for those who see it, said once to those who hear it. Never the words of an answer. */
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
      {last?.doing && !waits && <span aria-hidden="true">{last.doing}…</span>}
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
