// The events of a reader, the queue that collects them, and the reply they add up to.

/** A JSON object. */
export type JsonObject = Record<string, unknown>

/** The contents of a reply, in order; each event comes as soon as it is certain. */
export type ReaderEvent =
  | { type: 'text'; text: string }
  | { type: 'reasoning-start' }
  | { type: 'reasoning'; text: string }
  | { type: 'reasoning-end' }
  /** A closing think tag came without an opening one: all text so far was reasoning. Nothing was called yet. */
  | { type: 'text-was-reasoning' }
  | ParsedCall
  /** An intended call that cannot run. For the model, not for display. */
  | MalformedCall
  /** A complete call of an undeclared tool. */
  | (Omit<ParsedCall, 'type'> & { type: 'error'; kind: 'unknown-tool'; message: string })

export interface MalformedCall {
  type: 'error'
  kind: 'malformed'
  name?: string
  message: string
  /** The fault alone, without the sentence around it. */
  problem?: string
  /** The arguments as written, if the call is certainly one of an offered tool. */
  argumentsText?: string
  /** The whole text of the intended call. Empty if it is part of an earlier error. */
  written?: string
}

export interface ParsedCall {
  type: 'call'
  name: string
  arguments: JsonObject
  /** The arguments as written, if that is one JSON value; it may contain what JSON does not allow. */
  text?: string
  /** The arguments as written, if they are no object; then `arguments` is empty. */
  unread?: string
  /** The id the model gave the call. */
  id?: string
}

const beginningLimit = 400

/** Collects events: joins adjacent pieces and never splits a surrogate pair. */
export function eventQueue() {
  let events: ReaderEvent[] = []
  let hasText = false
  let hasCalls = false
  let halfPair = ''
  let beginning = ''

  // Pieces of the last event, joined once it is complete, because text often comes in many pieces.
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
    if (open) open.event.text = open.pieces.join('')
    open = undefined
  }
  const add = (event: ReaderEvent): void => {
    close()
    events.push(event)
  }

  /** Holds back half a surrogate pair until its other half arrives. */
  const completePairs = (text: string): string => {
    const joined = halfPair + text
    halfPair = ''
    const code = joined.charCodeAt(joined.length - 1)
    if (code < 0xd800 || code > 0xdbff) return joined
    halfPair = joined.slice(-1)
    return joined.slice(0, -1)
  }

  /** Reports half a surrogate pair whose other half never came. */
  const flushLoneHalf = (): void => {
    if (halfPair !== '') append('text', halfPair)
    halfPair = ''
  }

  return {
    /** Returns the events since the last call. */
    flush(): ReaderEvent[] {
      close()
      const ready = events
      events = []
      return ready
    },
    text: (text: string): void => {
      if (!hasText && /\S/.test(text)) hasText = true
      if (beginning.length < beginningLimit) beginning = (beginning + text).trimStart().slice(0, beginningLimit)
      const ready = completePairs(text)
      if (ready !== '') append('text', ready)
    },
    reasoningStart(): void {
      flushLoneHalf()
      add({ type: 'reasoning-start' })
    },
    reasoning: (text: string): void => {
      const ready = completePairs(text)
      if (ready !== '') append('reasoning', ready)
    },
    reasoningEnd(): void {
      if (halfPair !== '') append('reasoning', halfPair)
      halfPair = ''
      add({ type: 'reasoning-end' })
    },
    /** Marks all text so far as reasoning. */
    turnTextIntoReasoning(): void {
      flushLoneHalf()
      hasText = false
      beginning = ''
      add({ type: 'text-was-reasoning' })
    },
    call(event: Extract<ReaderEvent, { type: 'call' | 'error' }>): void {
      flushLoneHalf()
      hasCalls ||= event.type === 'call'
      add(event)
    },
    end: flushLoneHalf,
    /** True if visible text other than white space was reported. */
    hasText: (): boolean => hasText,
    hasCalls: (): boolean => hasCalls,
    /** The beginning of the visible text, long enough to tell a lead-in from an answer. */
    beginning: (): string => beginning,
  }
}

export type EventQueue = ReturnType<typeof eventQueue>

/** A complete reply after reading. */
export interface ParsedReply {
  text: string
  /** Reasoning blocks, trimmed and joined by line breaks. */
  reasoning: string
  calls: { name: string; arguments: JsonObject }[]
  errors: { kind: 'malformed' | 'unknown-tool'; name?: string; message: string; arguments?: JsonObject }[]
}

/** Builds a reply from events. */
export function replyBuilder(): { add(event: ReaderEvent): void; finish(): ParsedReply } {
  // In their order, since text may turn out to be reasoning.
  let passages: { isReasoning: boolean; parts: string[] }[] = []
  const calls: ParsedReply['calls'] = []
  const errors: ParsedReply['errors'] = []
  const passage = (isReasoning: boolean, isNew: boolean): { parts: string[] } => {
    const last = passages[passages.length - 1]
    if (!isNew && last?.isReasoning === isReasoning) return last
    const added = { isReasoning, parts: [] }
    passages.push(added)
    return added
  }
  return {
    add(event) {
      switch (event.type) {
        case 'text':
          passage(false, false).parts.push(event.text)
          return
        case 'reasoning-start':
          passage(true, true)
          return
        case 'reasoning':
          passage(true, false).parts.push(event.text)
          return
        case 'text-was-reasoning':
          passages = passages.map(({ parts }) => ({ isReasoning: true, parts }))
          return
        case 'call':
          calls.push({ name: event.name, arguments: event.arguments })
          return
        case 'error': {
          const { kind, name, message } = event
          const args = kind === 'unknown-tool' && { arguments: event.arguments }
          errors.push({ kind, ...(name === undefined ? {} : { name }), message, ...args })
          return
        }
        case 'reasoning-end':
          return
        default:
          event satisfies never
      }
    },
    finish() {
      const text = passages.filter(({ isReasoning }) => !isReasoning).flatMap(({ parts }) => parts)
      const blocks = passages.filter(({ isReasoning }) => isReasoning).map(({ parts }) => parts.join('').trim())
      return { text: text.join(''), reasoning: blocks.filter((block) => block !== '').join('\n'), calls, errors }
    },
  }
}
