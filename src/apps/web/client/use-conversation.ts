import { useEffect, useState } from 'preact/hooks'
import { type TranscriptState, useTranscript } from '../../../ui/index.js'

export interface Conversation {
  transcript: TranscriptState
  /** Whether the server is answering; undefined while nobody knows. */
  running: boolean | undefined
  isConnected: boolean
}

/**
 * A session as its events tell it, from the first one on and for as long as it is looked at. The browser reconnects by
 * itself and names the last event it saw, so that nothing is missed and nothing comes twice. `onSaid`: what is told to
 * every page, as that a timer has ended.
 */
export function useConversation(session: string | undefined, onSaid: (text: string) => void): Conversation {
  const [transcript, { tell, forget }] = useTranscript(nextFrame)
  const [running, setRunning] = useState<boolean | undefined>()
  const [isConnected, setConnected] = useState(false)

  useEffect(() => {
    setRunning(session === undefined ? false : undefined)
    setConnected(false)
    const source = new EventSource(`/api/events?session=${encodeURIComponent(session ?? '')}`)
    source.addEventListener('told', ({ data }) => tell(data as string))
    source.addEventListener('said', ({ data }) => onSaid((JSON.parse(data) as { text: string }).text))
    source.addEventListener('state', ({ data }) => {
      setRunning((JSON.parse(data) as { running: boolean }).running)
      setConnected(true)
    })
    source.addEventListener('error', () => setConnected(false))
    return () => {
      source.close()
      forget()
    }
  }, [session])

  return { transcript, running, isConnected }
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
