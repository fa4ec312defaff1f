import { useEffect, useRef, useState } from 'preact/hooks'
import { emptyTranscript, foldEvent, type Told, type TranscriptState } from '../../../ui/index.js'

export interface Conversation {
  transcript: TranscriptState
  /** Whether the server is answering; undefined while nobody knows. */
  running: boolean | undefined
  isConnected: boolean
}

const nothing: Conversation = { transcript: emptyTranscript, running: undefined, isConnected: false }

/**
 * A session as its events tell it, from the first one on and for as long as it is looked at. The browser reconnects by
 * itself and names the last event it saw, so that nothing is missed and nothing comes twice.
 */
export function useConversation(session: string | undefined): Conversation {
  const [state, setState] = useState(nothing)
  const waiting = useRef<Told[]>([])

  useEffect(() => {
    setState({ ...nothing, running: session === undefined ? false : undefined })
    waiting.current = []
    if (session === undefined) return
    let frame = 0
    const source = new EventSource(`/api/events?session=${encodeURIComponent(session)}`)
    const draw = () => {
      frame = 0
      const told = waiting.current
      waiting.current = []
      setState((known) => ({ ...known, transcript: told.reduce(foldEvent, known.transcript) }))
    }
    source.addEventListener('told', ({ data }) => {
      waiting.current.push(JSON.parse(data) as Told)
      // What comes faster than the screen is drawn is taken in together; a page out of sight draws nothing.
      if (frame === 0) frame = document.hidden ? window.setTimeout(draw, 200) : requestAnimationFrame(draw)
    })
    source.addEventListener('state', ({ data }) => {
      const { running } = JSON.parse(data) as { running: boolean }
      setState((known) => ({ ...known, running, isConnected: true }))
    })
    source.addEventListener('error', () => setState((known) => ({ ...known, isConnected: false })))
    return () => {
      cancelAnimationFrame(frame)
      source.close()
    }
  }, [session])

  return state
}
