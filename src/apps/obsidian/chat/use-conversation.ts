import { useEffect, useState } from 'preact/hooks'
import { type TranscriptState, useTranscript } from '../../../ui/index.js'
import type { OpenPlugin } from '../open-plugin.js'

export interface Conversation {
  transcript: TranscriptState
  running: boolean
}

/** A session as its events tell it, from the first one on and for as long as it is looked at. */
export function useConversation({ vault, atWork }: OpenPlugin, session: string | undefined): Conversation {
  const [transcript, { tell, forget }] = useTranscript(nextFrame)
  const [running, setRunning] = useState(false)

  useEffect(() => {
    setRunning(false)
    if (session === undefined) return
    const leaving = new AbortController()
    const follow = async () => {
      for await (const told of vault.follow(session, 0, leaving.signal)) {
        if (!leaving.signal.aborted) tell(told)
      }
    }
    const tellRunning = () => setRunning(atWork.isRunning(session))
    tellRunning()
    const stopListening = atWork.listen(session, tellRunning)
    follow().catch(() => undefined)
    return () => {
      leaving.abort()
      stopListening()
      forget()
    }
  }, [vault, atWork, session])

  return { transcript, running }
}

/** By time, since the window that has the pane is not always this one; a pane out of sight is drawn seldom. */
function nextFrame(draw: () => void): () => void {
  const timer = window.setTimeout(draw, activeDocument.hidden ? 200 : 16)
  return () => window.clearTimeout(timer)
}
