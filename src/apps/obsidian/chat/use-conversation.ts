import { useEffect, useState } from 'preact/hooks'
import { type TranscriptState, useTranscript } from '../../../ui/index.js'
import type { OpenPlugin } from '../open-plugin.js'

export interface Conversation {
  transcript: TranscriptState
  running: boolean
}

/** A session as its events tell it, from the first one on and for as long as it is looked at in this pane. */
export function useConversation(
  { vault, atWork }: OpenPlugin,
  session: string | undefined,
  pane: HTMLElement,
): Conversation {
  const [transcript, { tell, forget }] = useTranscript((draw) => nextFrame(pane, draw))
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

/**
 * By the timers of the window that has the pane, since one out of sight has slow ones; and by those of the main window, in
 * case the other is closed meanwhile. A pane out of sight is drawn seldom.
 */
function nextFrame(pane: HTMLElement, draw: () => void): () => void {
  const ms = pane.doc.hidden ? 200 : 16
  const timers = [...new Set([pane.win, window])].map((of) => ({ of, timer: of.setTimeout(() => drawOnce(), ms) }))
  const callOff = () => {
    for (const { of, timer } of timers) of.clearTimeout(timer)
  }
  const drawOnce = () => {
    callOff()
    draw()
  }
  return callOff
}
