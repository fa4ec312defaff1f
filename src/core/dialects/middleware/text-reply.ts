// Reads the text of a reply and turns it into the parts of a model that calls tools natively.

import type {
  LanguageModelV3FinishReason,
  LanguageModelV3GenerateResult,
  LanguageModelV3StreamPart,
  SharedV3ProviderMetadata,
} from '../../model/index.js'
import type { MalformedCall, ParsedCall, ReaderEvent } from '../events.js'
import { restoreDeep, restoreNeutralised, restoreStream } from '../neutralise.js'
import type { Reader } from '../reader.js'

type Part = LanguageModelV3StreamPart
type Content = LanguageModelV3GenerateResult['content'][number]

/** Opens the reading of a reply's text. `hasReasoning`: the provider has sent reasoning separately. */
export type OpenReply = (hasReasoning: boolean) => ReplyParts

/** Reads the text of a stream; every other part passes unchanged. */
export function readReplyStream(stream: ReadableStream<Part>, open: OpenReply): ReadableStream<Part> {
  const source = stream.getReader()
  const reading = partReading(open)
  return new ReadableStream<Part>({
    async pull(controller) {
      for (;;) {
        const { done, value } = await source.read()
        const parts = done ? reading.flush() : reading.read(value)
        for (const part of parts) controller.enqueue(part)
        if (done) return controller.close()
        if (parts.length > 0) return
      }
    },
    cancel: (reason) => source.cancel(reason),
  })
}

/** The same for a reply in one piece. */
export function readReplyContent(
  result: LanguageModelV3GenerateResult,
  open: OpenReply,
): LanguageModelV3GenerateResult {
  const reading = partReading(open)
  const parts = result.content.flatMap((content, at): Part[] => {
    if (content.type === 'text') return reading.read({ type: 'text-delta', id: `${at}`, delta: content.text })
    if (content.type !== 'reasoning') return reading.read(content)
    const id = `thought-${at}`
    const { providerMetadata } = content
    return [
      ...reading.read({ type: 'reasoning-start', id, ...(providerMetadata && { providerMetadata }) }),
      ...reading.read({ type: 'reasoning-delta', id, delta: content.text }),
      ...reading.read({ type: 'reasoning-end', id }),
    ]
  })
  const { finishReason, usage, providerMetadata } = result
  const ending = reading.read({ type: 'finish', finishReason, usage, ...(providerMetadata && { providerMetadata }) })
  const finish = ending.find((part) => part.type === 'finish')
  return {
    ...result,
    content: contentOf([...parts, ...ending]),
    finishReason: finish?.finishReason ?? finishReason,
  }
}

function partReading(open: OpenReply): { read(part: Part): Part[]; flush(): Part[] } {
  let reply: ReplyParts | undefined
  let hasReasoning = false
  let hasNativeCalls = false
  let isEnded = false

  function end(isWhole: boolean): Part[] {
    if (isEnded) return []
    isEnded = true
    return reply?.end({ isWhole, passCalls: !hasNativeCalls }) ?? []
  }

  return {
    read(part) {
      switch (part.type) {
        case 'text-start':
        case 'text-end':
          return []
        case 'text-delta':
          reply ??= open(hasReasoning)
          return reply.read(part.delta)
        case 'reasoning-delta':
          hasReasoning ||= part.delta.trim() !== ''
          return [part]
        case 'tool-call':
          hasNativeCalls = true
          return [...(reply?.interrupt() ?? []), part]
        case 'finish': {
          const parts = end(part.finishReason.unified === 'stop')
          const hasCalls = hasNativeCalls || reply?.hasCalls() === true
          return [...parts, { ...part, finishReason: finishReason(part.finishReason, hasCalls) }]
        }
        case 'error':
          return [...end(false), part]
        default:
          return [part]
      }
    },
    flush: () => end(false),
  }
}

/** A reply that was cut short keeps its finish reason. */
function finishReason(given: LanguageModelV3FinishReason, hasCalls: boolean): LanguageModelV3FinishReason {
  const isCut = given.unified === 'length' || given.unified === 'content-filter' || given.unified === 'error'
  return hasCalls && !isCut ? { ...given, unified: 'tool-calls' } : given
}

/** Joins the parts of a stream to content. */
function contentOf(parts: readonly Part[]): Content[] {
  const content: Content[] = []
  const open = new Map<string, Extract<Content, { type: 'text' | 'reasoning' }>>()
  for (const part of parts) {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start': {
        const piece: Extract<Content, { type: 'text' | 'reasoning' }> = {
          type: part.type === 'text-start' ? 'text' : 'reasoning',
          text: '',
          ...(part.providerMetadata && { providerMetadata: part.providerMetadata }),
        }
        open.set(part.id, piece)
        content.push(piece)
        break
      }
      case 'text-delta':
      case 'reasoning-delta': {
        const piece = open.get(part.id)
        if (piece) piece.text += part.delta
        break
      }
      case 'file':
      case 'source':
      case 'tool-call':
      case 'tool-result':
      case 'tool-approval-request':
        content.push(part)
        break
      default:
        break
    }
  }
  return content
}

interface ReplyOptions {
  reader: Reader
  /** Only the first of several calls is passed on. */
  oneCall: boolean
  /** Text in the prompt was neutralised: text the model copied from it is restored. */
  restores: boolean
  /** The reader assumes that the reply begins inside reasoning, which may be wrong. */
  assumesReasoning: boolean
  /** Calls are held back until the end. */
  holdCalls?: boolean
  /** Called once it is known whether this model's replies begin inside reasoning. */
  learn: (startsInReasoning: boolean) => void
}

/** Converts a reply in text to the parts of a model that calls tools natively. */
export function replyParts(options: ReplyOptions) {
  const { reader, restores, learn } = options
  const prefix = `reply-${crypto.randomUUID().slice(0, 8)}`
  let blocks = 0
  const nextId = () => `${prefix}-${++blocks}`
  const text = visibleBlocks('text', restores, nextId)
  let thought = visibleBlocks('reasoning', restores, nextId)
  const held: Part[] = []
  let passed = 0
  /** Reasoning that began without an opening tag, until its end is seen. */
  let assumed: string[] | undefined = options.assumesReasoning ? [] : undefined

  /** The parts of one call; its arguments come in one piece. */
  function passOn(
    toolName: string,
    input: string,
    about: { id?: string | undefined; error?: string; written?: string },
  ): Part[] {
    const { id = '', error, written } = about
    text.trim()
    if (options.oneCall && passed > 0) return []
    passed++
    const toolCallId = id || `call_${crypto.randomUUID()}`
    const note = error === undefined ? {} : withCallNote({ error, ...(written !== undefined && { written }) })
    const begun: Part[] = [
      { type: 'tool-input-start', id: toolCallId, toolName },
      { type: 'tool-input-delta', id: toolCallId, delta: input },
      { type: 'tool-input-end', id: toolCallId },
    ]
    const call: Part = { type: 'tool-call', toolCallId, toolName, input, ...note }
    // Text that is no call has no input parts.
    const parts = written === undefined ? [...begun, call] : [call]
    if (!options.holdCalls) return [...text.close(), ...parts]
    held.push(...parts)
    return []
  }

  /** Passes on the arguments as written for a call of an offered tool, else the whole text. */
  function passOnMalformed({ name = '', message: error, argumentsText, written = '' }: MalformedCall): Part[] {
    const restored = (text: string) => (restores ? restoreNeutralised(text) : text)
    if (argumentsText !== undefined) return passOn(name, restored(argumentsText), { error })
    return passOn(name, restored(written), { error, written: restored(written) })
  }

  function convert(event: ReaderEvent, isReasoning: boolean): Part[] {
    switch (event.type) {
      case 'text':
        return isReasoning ? thought.show(event.text) : text.show(event.text)
      case 'reasoning-start':
        text.trim()
        thought = visibleBlocks('reasoning', restores, nextId)
        thought.trim()
        return text.close()
      case 'reasoning':
        assumed?.push(event.text)
        return thought.show(event.text)
      case 'reasoning-end':
        return thought.close()
      case 'text-was-reasoning': {
        learn(true)
        const parts = [...thought.close(), ...text.close(withCallNote({ wasReasoning: true }).providerMetadata)]
        text.trim()
        text.restart()
        return parts
      }
      case 'call':
        return passOn(event.name, inputText(event, restores), event)
      case 'error':
        return event.kind === 'unknown-tool'
          ? passOn(event.name, inputText(event, restores), { id: event.id })
          : passOnMalformed(event)
      default:
        return event satisfies never
    }
  }

  function convertAll(events: readonly ReaderEvent[]): Part[] {
    // Text that was not shown yet can still be sent as reasoning.
    const until = events.findIndex(({ type }) => type === 'text-was-reasoning')
    return events.flatMap((event, at) => {
      if (at < until && !text.hasShown()) thought.trim()
      return convert(event, at < until && !text.hasShown())
    })
  }

  return {
    read(piece: string): Part[] {
      const events = reader.push(piece)
      const parts = convertAll(events)
      if (events.some(({ type }) => type === 'reasoning-end')) assumed = undefined
      return parts
    },
    /** Another part follows, such as a native call: ends the open block. */
    interrupt: (): Part[] => [...text.rest(), ...text.close()],
    /** `isWhole`: the model stopped by itself. `passCalls` is false if native calls have arrived. */
    end({ isWhole, passCalls = true }: { isWhole: boolean; passCalls?: boolean }): Part[] {
      const events = reader.end()
      const parts = convertAll(events)
      const isOpen = assumed !== undefined && !events.some(({ type }) => type === 'text' || type === 'call')
      if (isOpen && assumed?.length && isWhole && !text.hasShown()) {
        // The model has finished and nothing closed the reasoning: it was the answer.
        learn(false)
        text.trim()
        parts.push(...text.show(assumed.join('')))
      }
      if (!passCalls) passed = 0
      return [...parts, ...text.rest(), ...text.close(), ...(passCalls ? held : [])]
    },
    hasCalls: (): boolean => passed > 0,
  }
}

type ReplyParts = ReturnType<typeof replyParts>

/** The arguments as the model wrote them, if that is JSON and contains nothing copied from neutralised text. */
function inputText(
  { arguments: args, text, unread }: Pick<ParsedCall, 'arguments' | 'text' | 'unread'>,
  restores: boolean,
): string {
  if (unread !== undefined) return unread
  const written = text !== undefined && isJson(text) ? text : JSON.stringify(args)
  if (!restores || !written.includes('\\')) return written
  const restored = JSON.stringify(restoreDeep(args))
  return restored === JSON.stringify(args) ? written : restored
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    // The answer to the question.
    return false
  }
}

/** Writes text or reasoning as parts of a stream: a start, deltas, an end. */
function visibleBlocks(kind: 'text' | 'reasoning', restores: boolean, nextId: () => string) {
  let id: string | undefined
  let space = ''
  let hasShown = false
  let isTrimmed = false
  let restore = restores ? restoreStream() : undefined

  function write(text: string): LanguageModelV3StreamPart[] {
    if (text === '') return []
    const parts: LanguageModelV3StreamPart[] = []
    if (id === undefined) {
      id = nextId()
      parts.push({ type: `${kind}-start`, id })
    }
    hasShown = true
    parts.push({ type: `${kind}-delta`, id, delta: text })
    return parts
  }

  function show(text: string): LanguageModelV3StreamPart[] {
    const end = trailingSpaceStart(text)
    if (end === 0) {
      space += text
      return []
    }
    const words = space + text.slice(0, end)
    space = text.slice(end)
    return write(isTrimmed && !hasShown ? words.trimStart() : words)
  }

  return {
    show: (text: string): LanguageModelV3StreamPart[] => show(restore ? restore.push(text) : text),
    /** Ends the open block, if there is one. White space at its end is kept for text that may still follow. */
    close(metadata?: SharedV3ProviderMetadata): LanguageModelV3StreamPart[] {
      const rest = restore ? show(restore.end()) : []
      if (id === undefined) return rest
      const end: LanguageModelV3StreamPart = {
        type: `${kind}-end`,
        id,
        ...(metadata && { providerMetadata: metadata }),
      }
      id = undefined
      return [...rest, end]
    },
    /** Drops white space at the edges from here on, because something was cut out there. */
    trim(): void {
      isTrimmed = true
    },
    /** The remaining white space, which belongs to the text before it. */
    rest(): LanguageModelV3StreamPart[] {
      const words = restore ? show(restore.end()) : []
      const tail = isTrimmed ? '' : space
      space = ''
      return [...words, ...write(tail)]
    },
    hasShown: (): boolean => hasShown,
    /** Forgets the visible text, so that the next text starts fresh. */
    restart(): void {
      hasShown = false
      space = ''
      restore = restores ? restoreStream() : undefined
    },
  }
}

/** The index of the trailing white space. */
function trailingSpaceStart(text: string): number {
  let end = text.length
  while (end > 0 && /\s/.test(text.charAt(end - 1))) end--
  return end
}

/**
 * Reads a reply that must be JSON and may call nothing: once a JSON value has begun, every character belongs to it,
 * also text that looks like a call or reasoning. Any other reply is read as usual.
 */
export function jsonAnswerReader(reader: Reader): Reader {
  let kind: 'json' | 'other' | undefined
  let held = ''
  return {
    push(text) {
      held += text
      const [first] = held.trimStart()
      if (kind === undefined && first !== undefined) kind = /[{["\d-]/.test(first) ? 'json' : 'other'
      if (kind === undefined) return []
      const known = held
      held = ''
      return kind === 'json' ? [{ type: 'text', text: known }] : reader.push(known)
    },
    end() {
      return kind === 'json' ? [] : [...(held === '' ? [] : reader.push(held)), ...reader.end()]
    },
  }
}

/** Our own data on a part, for later steps and the next request. */
interface CallNote {
  /** The reason this call cannot run. */
  error?: string
  /** The model's text, if it is no call of any tool. */
  written?: string
  /** Text that turned out to be reasoning after it was shown. */
  wasReasoning?: boolean
}

const withCallNote = (note: CallNote): { providerMetadata: SharedV3ProviderMetadata } => ({
  providerMetadata: { notewright: { ...note } },
})

export function callNote(options: Record<string, Record<string, unknown>> | undefined): CallNote {
  return options?.notewright ?? {}
}
