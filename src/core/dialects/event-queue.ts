import type { ReaderEvent } from './reader-event.js'

export interface EventQueue {
  /** Events since the last time. */
  flush(): ReaderEvent[]
  text: (text: string) => void
  reasoningStart(): void
  reasoning: (text: string) => void
  reasoningEnd(): void
  /** All text so far was reasoning. */
  turnTextIntoReasoning(): void
  call(event: Extract<ReaderEvent, { type: 'call' | 'error' }>): void
  end(): void
  /** Whether anything but white space has been shown. */
  hasText(): boolean
  hasCalls(): boolean
  /** How the shown text begins: enough of it to tell a lead-in from an answer. */
  beginning(): string
}

const beginningLimit = 400

/** Collects events: joins neighbouring pieces and never splits a surrogate pair. */
export function eventQueue(): EventQueue {
  let events: ReaderEvent[] = []
  let shown = false
  let called = false
  let halfPair = ''
  let beginning = ''

  // Pieces of the last event, joined when it is complete: much text comes in many of them.
  let open: { event: { type: 'text' | 'reasoning'; text: string }; pieces: string[] } | undefined

  const append = (type: 'text' | 'reasoning', text: string): void => {
    if (open?.event.type !== type) {
      close()
      open = { event: { type, text: '' }, pieces: [] }
      events.push(open.event)
    }
    open.pieces.push(text)
  }
  const close = (): void => {
    if (open) open.event.text = open.pieces.length === 1 ? open.pieces[0] : open.pieces.join('')
    open = undefined
  }
  const add = (event: ReaderEvent): void => {
    close()
    events.push(event)
  }

  /** Half a surrogate pair waits for its other half. */
  const whole = (text: string): string => {
    const joined = halfPair + text
    halfPair = ''
    const code = joined.charCodeAt(joined.length - 1)
    if (code < 0xd800 || code > 0xdbff) return joined
    halfPair = joined.slice(-1)
    return joined.slice(0, -1)
  }

  /** A half whose other half never came. */
  const giveLoneHalf = (): void => {
    if (halfPair !== '') append('text', halfPair)
    halfPair = ''
  }

  return {
    flush() {
      close()
      const ready = events
      events = []
      return ready
    },
    text(text) {
      if (!shown && /\S/.test(text)) shown = true
      if (beginning.length < beginningLimit) beginning = (beginning + text).trimStart().slice(0, beginningLimit)
      const ready = whole(text)
      if (ready !== '') append('text', ready)
    },
    reasoningStart() {
      giveLoneHalf()
      add({ type: 'reasoning-start' })
    },
    reasoning(text) {
      const ready = whole(text)
      if (ready !== '') append('reasoning', ready)
    },
    reasoningEnd() {
      if (halfPair !== '') append('reasoning', halfPair)
      halfPair = ''
      add({ type: 'reasoning-end' })
    },
    turnTextIntoReasoning() {
      giveLoneHalf()
      shown = false
      beginning = ''
      add({ type: 'text-was-reasoning' })
    },
    call(event) {
      giveLoneHalf()
      called ||= event.type === 'call'
      add(event)
    },
    end: giveLoneHalf,
    hasText: () => shown,
    hasCalls: () => called,
    beginning: () => beginning,
  }
}
