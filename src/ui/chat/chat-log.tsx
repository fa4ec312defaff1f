import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { TranscriptState } from '../transcript/index.js'
import { isRunning, waitingPanels } from '../transcript/index.js'
import { type ChatActions, TurnView } from './turn-view.js'

/** So near to the end counts as being there. */
const nearPixels = 60

/** The conversation. Follows what is written while its end is in sight, and leaves a person who scrolls alone. */
export function ChatLog({ transcript, actions }: { transcript: TranscriptState; actions: ChatActions }) {
  const log = useRef<HTMLDivElement>(null)
  const isFollowing = useRef(true)
  const [isAway, setAway] = useState(false)

  const onScroll = () => {
    const { scrollHeight, scrollTop, clientHeight } = log.current!
    isFollowing.current = scrollHeight - scrollTop - clientHeight < nearPixels
    setAway(!isFollowing.current)
  }
  const toEnd = () => {
    log.current!.scrollTop = log.current!.scrollHeight
  }
  const shownPanel = useRef<Element | null>(null)
  useLayoutEffect(() => {
    const panel = log.current!.querySelector('[data-panel]')
    const isNew = panel !== null && panel !== shownPanel.current
    shownPanel.current = panel
    if (!isFollowing.current) return
    // What asks is read from its beginning.
    if (isNew) panel.scrollIntoView({ block: 'start' })
    else if (panel === null) toEnd()
  }, [transcript])

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
      >
        {transcript.turns.map((turn) => (
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
