import { useEffect, useState } from 'preact/hooks'
import { type TranscriptState, useTranscript } from '../../../ui/index.js'
import { followSession } from './shared-events.js'

interface Conversation {
  transcript: TranscriptState
  /** True if the server is answering; undefined if unknown. */
  running: boolean | undefined
  /** Names the other process that has it open, such as a terminal. */
  elsewhere: string | undefined
  isConnected: boolean
}

/**
 * Follows the events of a session from the first one, as long as it is shown. After a lost connection the page sends
 * the number of the last event it saw, so that nothing is missed or repeated. `onSaid`: messages to every page, such as
 * that a timer has ended.
 */
export function useConversation(session: string | undefined, onSaid: (text: string) => void): Conversation {
  const [transcript, { add: tell, forget }] = useTranscript(nextFrame)
  const [running, setRunning] = useState<boolean | undefined>()
  const [elsewhere, setElsewhere] = useState<string | undefined>()
  const [isConnected, setConnected] = useState(false)

  useEffect(() => {
    setRunning(session === undefined ? false : undefined)
    setElsewhere(undefined)
    setConnected(false)
    const stop = followSession(session, {
      onTold: tell,
      onSaid,
      onState(state) {
        setRunning(state.running)
        setElsewhere(state.elsewhere)
        setConnected(true)
      },
      onLost: () => setConnected(false),
    })
    return () => {
      stop()
      forget()
    }
  }, [session])

  return { transcript, running, elsewhere, isConnected }
}

/** A page out of sight is drawn seldom. */
function nextFrame(draw: () => void): () => void {
  if (document.hidden) {
    const timer = window.setTimeout(draw, 200)
    return () => window.clearTimeout(timer)
  }
  const frame = requestAnimationFrame(draw)
  return () => cancelAnimationFrame(frame)
}
