import { useMemo, useState } from 'preact/hooks'
import { foldEvents } from './fold-events.js'
import { emptyTranscript, type Told, type TranscriptState } from './transcript-state.js'

export interface Telling {
  /** Takes one thing in; it is drawn with the next frame. As it came over a wire, it is read then too. */
  tell: (told: Told | string) => void
  /** Forgets everything, as when another conversation is looked at. */
  forget: () => void
}

/** So long a frame may be kept from the screen; what is left then goes into the next one. */
const sliceMs = 10
const eventsAtOnce = 50

/**
 * A conversation that is drawn while it is told. `nextFrame` calls back when the screen is drawn next, and answers how to
 * call that off: what comes faster than that is taken in together, and drawn once all of it is in.
 */
export function useTranscript(nextFrame: (draw: () => void) => () => void): [TranscriptState, Telling] {
  const [transcript, setTranscript] = useState(emptyTranscript)
  const telling = useMemo((): Telling => {
    let known = emptyTranscript
    let waiting: (Told | string)[] = []
    let callOff: (() => void) | undefined
    const takeIn = () => {
      const until = performance.now() + sliceMs
      let taken = 0
      while (taken < waiting.length && performance.now() < until) {
        known = foldEvents(known, waiting.slice(taken, taken + eventsAtOnce).map(read))
        taken += eventsAtOnce
      }
      waiting = waiting.slice(taken)
      callOff = waiting.length > 0 ? nextFrame(takeIn) : undefined
      if (callOff === undefined) setTranscript(known)
    }
    return {
      tell(told) {
        waiting.push(told)
        callOff ??= nextFrame(takeIn)
      },
      forget() {
        callOff?.()
        callOff = undefined
        waiting = []
        known = emptyTranscript
        setTranscript(known)
      },
    }
  }, [])
  return [transcript, telling]
}

const read = (told: Told | string): Told => (typeof told === 'string' ? (JSON.parse(told) as Told) : told)
