import { useMemo, useState } from 'preact/hooks'
import { emptyTranscript, foldEvents, type TranscriptEvent, type TranscriptState } from './transcript.js'

export interface TranscriptFeed {
  /** Takes one thing in; it is drawn with the next frame. As it came over a wire, it is read then too. */
  add: (told: TranscriptEvent | string) => void
  /** Clears the transcript, for another conversation. */
  forget: () => void
}

/** Maximum work per frame; the rest continues in the next one. */
const sliceMs = 10
const eventsAtOnce = 50

/**
 * The transcript of a conversation in progress. `nextFrame` calls back before the next frame, and returns a function
 * that cancels it: events that arrive faster are applied together and drawn once.
 */
export function useTranscript(nextFrame: (draw: () => void) => () => void): [TranscriptState, TranscriptFeed] {
  const [transcript, setTranscript] = useState(emptyTranscript)
  const telling = useMemo((): TranscriptFeed => {
    let known = emptyTranscript
    let waiting: (TranscriptEvent | string)[] = []
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
      add(told) {
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

const read = (told: TranscriptEvent | string): TranscriptEvent =>
  typeof told === 'string' ? (JSON.parse(told) as TranscriptEvent) : told
