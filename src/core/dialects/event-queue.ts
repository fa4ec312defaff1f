import type { CallErrorKind, JsonObject, ReaderEvent } from './reader-event.js'

export interface EventQueue {
  /** Events since the last time. */
  flush(): ReaderEvent[]
  text(text: string): void
  reasoningStart(): void
  reasoning(text: string): void
  reasoningEnd(): void
  /** All text so far was reasoning. */
  turnTextIntoReasoning(): void
  /** A tool is named; answers the call's index. */
  callStart(name: string | undefined): number
  call(index: number, name: string, args: JsonObject): void
  error(index: number, kind: CallErrorKind, message: string, name?: string): void
  end(): void
  /** Whether anything but white space has been shown. */
  hasText(): boolean
  hasCalls(): boolean
}

/**
 * Collects events: joins neighbouring pieces, never splits a surrogate pair, and leaves out text after a call
 * when a run of it grows longer than `textAfterCall` characters.
 */
export function eventQueue(textAfterCall: number): EventQueue {
  let events: ReaderEvent[] = []
  let shown = false
  let called = false
  let calls = 0
  let halfPair = ''
  // Text since the last call, while it is short enough to be kept; then only its length.
  let held = ''
  let dropped = 0

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

  const showText = (text: string): void => {
    if (text === '') return
    if (!called || textAfterCall === Number.POSITIVE_INFINITY) append('text', text)
    else if (dropped > 0) dropped += text.length
    else if (held.length + text.length > textAfterCall) {
      dropped = held.length + text.length
      held = ''
    } else held += text
  }

  /** What waits for a decision about following text is decided now. */
  const settle = (): void => {
    if (halfPair !== '') {
      const rest = halfPair
      halfPair = ''
      showText(rest)
    }
    if (held !== '') append('text', held)
    if (dropped > 0) add({ type: 'text-cut', characters: dropped })
    held = ''
    dropped = 0
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
      showText(whole(text))
    },
    reasoningStart() {
      settle()
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
      settle()
      shown = false
      add({ type: 'text-was-reasoning' })
    },
    callStart(name) {
      settle()
      if (name !== undefined) add({ type: 'call-start', index: calls, name })
      return calls++
    },
    call(index, name, args) {
      settle()
      called = true
      add({ type: 'call', index, name, arguments: args })
    },
    error(index, kind, message, name) {
      settle()
      add({ type: 'error', index, kind, ...(name === undefined ? {} : { name }), message })
    },
    end: settle,
    hasText: () => shown,
    hasCalls: () => called,
  }
}
