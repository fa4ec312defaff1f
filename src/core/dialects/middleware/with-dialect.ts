import {
  type DialectMemory,
  type LanguageModelV3,
  type LanguageModelV3CallOptions,
  type LanguageModelV3GenerateResult,
  type LanguageModelV3Prompt,
  type LanguageModelV3StreamPart,
  modelFailureData,
  noticePart,
  type Profile,
  probeDialect,
  textCallsContent,
  textCallsPart,
} from '../../model/index.js'
import type { ReaderEvent } from '../events.js'
import { openReader } from '../reader.js'
import { type TextDialect, textDialect } from '../text-dialect.js'
import { jsonAnswerReader, type OpenReply, readReplyContent, readReplyStream, replyParts } from './text-reply.js'
import {
  addToolRules,
  forbidsParallelCalls,
  functionTools,
  neutralisePrompt,
  readerTools,
  resultMarks,
  writeRequest,
} from './text-request.js'

// Wraps a model so that it calls tools natively, in a text dialect, or in the one that a probe finds.

/** Options of `withDialect`. */
export interface DialectOptions {
  /** How the model calls tools. `auto`: as the profile says, or as a probe or a refusal of the server shows. */
  dialect: 'native' | 'auto' | (string & {}) | TextDialect
  profile: Profile
  /** Other names of tools, each with the tool's own name. */
  aliases?: Readonly<Record<string, string>>
  /** Default: the profile's. A request can still forbid parallel calls. */
  parallelCalls?: boolean
  /**
   * Only with `native`: also reads calls and reasoning written as text. If there are native calls, only those count.
   */
  textCalls?: boolean
  /** Only with `auto`: stores the detected dialect, under the user's name for the model. */
  memory?: DialectMemory
  name?: string
}

/** Makes a model that writes its calls as text look like one that calls tools natively. */
export function withDialect(model: LanguageModelV3, options: DialectOptions): LanguageModelV3 {
  const { dialect } = options
  if (dialect === 'auto') return autoDialect(model, options)
  if (dialect === 'native') return options.textCalls ? readTextCalls(model, options) : nativeModel(model, options)
  return readTextCalls(model, options, typeof dialect === 'string' ? textDialect(dialect) : dialect)
}

function autoDialect(model: LanguageModelV3, options: DialectOptions): LanguageModelV3 {
  const { profile } = options
  const isProbed = profile.dialect === 'auto'
  if (!isProbed && profile.dialect !== 'native') return withDialect(model, { ...options, dialect: profile.dialect })
  const wrap = (dialect: string) => withDialect(model, { ...options, dialect, textCalls: isProbed })
  return detectDialect(model, { ...options, wrap })
}

interface Prepared {
  params: LanguageModelV3CallOptions
  open: OpenReply
}

/** Reads calls from the text of replies. Without a dialect to teach, the request stays native. */
function readTextCalls(model: LanguageModelV3, options: DialectOptions, dialect?: TextDialect): LanguageModelV3 {
  const { profile, aliases = {} } = options
  const mark = resultMarks()
  let startsInReasoning = profile.startsInReasoning

  function prepare(given: LanguageModelV3CallOptions): Prepared {
    const parallel = !forbidsParallelCalls(given) && (options.parallelCalls ?? profile.parallelCalls)
    const { params, isChanged } = dialect
      ? writeRequest(given, { dialect, profile, mark, parallel })
      : nativeRequest(given, profile)
    const tools = readerTools(given, aliases)
    const open: OpenReply = (hasReasoning) => {
      const assumesReasoning = startsInReasoning && !hasReasoning
      const reader = (dialect ?? textDialect('sentinel')).open({
        tools,
        startsInReasoning: assumesReasoning,
        isQuotation: quotationCheck(given.prompt),
      })
      return replyParts({
        reader: mustBeJson(given) ? jsonAnswerReader(reader) : reader,
        oneCall: !parallel,
        restores: isChanged,
        assumesReasoning,
        holdCalls: dialect === undefined,
        learn(starts) {
          startsInReasoning = starts
        },
      })
    }
    return { params, open }
  }

  return {
    specificationVersion: 'v3',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    async doGenerate(given) {
      const { params, open } = prepare(given)
      return readReplyContent(await model.doGenerate(params), open)
    },
    async doStream(given) {
      const { params, open } = prepare(given)
      const result = await model.doStream(params)
      return { ...result, stream: readReplyStream(result.stream, open) }
    },
  }
}

/** True if the whole reply must be one JSON value: it was requested and nothing can be called. */
function mustBeJson(given: LanguageModelV3CallOptions): boolean {
  const isClosed = functionTools(given).length === 0 || given.toolChoice?.type === 'none'
  return given.responseFormat?.type === 'json' && isClosed
}

/** A native request whose text from outside is neutralised, because the reply's text is read for calls. */
function nativeRequest(given: LanguageModelV3CallOptions, profile: Profile) {
  if (functionTools(given).length === 0) return { params: given, isChanged: false }
  const { prompt, isChanged } = neutralisePrompt(given.prompt)
  return { params: addToolRules({ ...given, prompt }, profile), isChanged }
}

interface DetectOptions {
  profile: Profile
  /** Stores the detected dialect, under the user's name for the model. */
  memory?: DialectMemory
  name?: string
  /** Wraps the model for a dialect. */
  wrap(dialect: string): LanguageModelV3
}

/**
 * Uses the dialect of the profile, or probes it once when tools are first offered. If the server turns out to refuse
 * tools, the model is addressed in text from then on.
 */
function detectDialect(model: LanguageModelV3, options: DetectOptions): LanguageModelV3 {
  const { profile, name = `${model.provider}/${model.modelId}`, memory = processMemory() } = options
  const text = profile.textDialect
  const wraps = new Map<string, LanguageModelV3>()
  const wrap = (dialect: string): LanguageModelV3 => {
    const known = wraps.get(dialect) ?? options.wrap(dialect)
    wraps.set(dialect, known)
    return known
  }
  let chosen: Promise<string> | undefined

  function choose(signal = new AbortController().signal): Promise<string> {
    const candidates = [
      { name: 'native', wrap: () => wrap('native') },
      { name: text, wrap: () => wrap(text) },
    ] as const
    chosen ??= (
      profile.dialect === 'auto' ? probeDialect(model, { name, candidates, memory, signal, profile }) : remembered()
    )
      .then(({ dialect }) => dialect)
      .catch((error) => {
        // A failed probe is no result: the next request tries again.
        chosen = undefined
        throw error
      })
    return chosen
  }

  async function remembered(): Promise<{ dialect: string }> {
    return { dialect: (await memory.recall(name)) === text ? text : 'native' }
  }

  async function needsProbe(): Promise<boolean> {
    return profile.dialect === 'auto' && chosen === undefined && (await memory.recall(name)) === undefined
  }

  /** Sends a request in the dialect known so far, and again in text if the server refuses tools. */
  async function send<Result>(
    given: LanguageModelV3CallOptions,
    request: (model: LanguageModelV3) => PromiseLike<Result>,
  ): Promise<{ result: Result; isRefused?: true }> {
    const dialect = mentionsTools(given) ? await choose(given.abortSignal) : await (chosen ?? 'native')
    try {
      return { result: await request(wrap(dialect)) }
    } catch (error) {
      if (dialect !== 'native' || modelFailureData(error)?.kind !== 'no-tools') throw error
      chosen = Promise.resolve(text)
      await memory.remember(name, text)
      return { result: await request(wrap(text)), isRefused: true }
    }
  }

  return {
    specificationVersion: 'v3',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: async (given) => (await send(given, (wrapped) => wrapped.doGenerate(given))).result,
    async doStream(given) {
      const sendNow = async () => {
        const { result, isRefused } = await send(given, (wrapped) => wrapped.doStream(given))
        return isRefused ? { ...result, stream: streamAfterNotice(refusedNotice, async () => result.stream) } : result
      }
      if (!mentionsTools(given) || !(await needsProbe())) return sendNow()
      return { stream: streamAfterNotice(probingNotice, async () => (await sendNow()).stream) }
    },
  }
}

const probingNotice = 'Testing how this model calls tools.'
const refusedNotice = 'This server doesn’t support tool calls for this model, so the model writes them as text.'

type Parts = ReadableStream<LanguageModelV3StreamPart>

/** A stream that begins with a notice. */
function streamAfterNotice(text: string, open: () => Promise<Parts>): Parts {
  let reader: ReadableStreamDefaultReader<LanguageModelV3StreamPart> | undefined
  return new ReadableStream<LanguageModelV3StreamPart>({
    start: (controller) => controller.enqueue(noticePart(text)),
    async pull(controller) {
      reader ??= (await open()).getReader()
      const { done, value } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => reader?.cancel(reason),
  })
}

function mentionsTools(given: LanguageModelV3CallOptions): boolean {
  return functionTools(given).length > 0 || given.prompt.some(({ role }) => role === 'tool')
}

function processMemory(): DialectMemory {
  const known = new Map<string, string>()
  return {
    recall: async (model) => known.get(model),
    remember: async (model, dialect) => void known.set(model, dialect),
  }
}

type Part = LanguageModelV3StreamPart
type Content = LanguageModelV3GenerateResult['content'][number]

/**
 * A native model with its family's rules. Its replies never show a call: a call written as text is held back and
 * reported by name.
 */
function nativeModel(
  model: LanguageModelV3,
  { profile, aliases }: { profile: Profile; aliases?: Readonly<Record<string, string>> },
): LanguageModelV3 {
  return {
    specificationVersion: 'v3',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    async doGenerate(given) {
      const result = await model.doGenerate(addToolRules(given, profile))
      if (functionTools(given).length === 0) return result
      return { ...result, content: hideInContent(result.content, textFilter(given, aliases)) }
    },
    async doStream(given) {
      const result = await model.doStream(addToolRules(given, profile))
      if (functionTools(given).length === 0) return result
      return { ...result, stream: hideInStream(result.stream, textFilter(given, aliases)) }
    },
  }
}

/** The visible part of a text, and the names of the calls found in it. */
interface FilteredText {
  text: string
  names: string[]
}

type TextFilter = ReturnType<typeof textFilter>

function textFilter(given: LanguageModelV3CallOptions, aliases?: Readonly<Record<string, string>>) {
  const tools = readerTools(given, aliases)
  const reader = openReader({ tools, wholeReplies: 'only', isQuotation: quotationCheck(given.prompt) })
  let isOver = false
  return {
    push: (text: string): FilteredText => visiblePart(isOver ? [{ type: 'text', text }] : reader.push(text)),
    /** Returns what was held back; nothing is held back after this. */
    end(): FilteredText {
      isOver = true
      return visiblePart(reader.end())
    },
    isOver: (): boolean => isOver,
  }
}

function visiblePart(events: readonly ReaderEvent[]): FilteredText {
  return {
    text: events.map((event) => (event.type === 'text' ? event.text : '')).join(''),
    names: events.flatMap((event) => (event.type === 'call' || event.type === 'error' ? [event.name ?? 'a tool'] : [])),
  }
}

function hideInContent(content: readonly Content[], filter: TextFilter): Content[] {
  /** Text that was held back comes before the next part. */
  const rest = (): Content[] => {
    if (filter.isOver()) return []
    const { text, names } = filter.end()
    return [
      ...(text === '' ? [] : [{ type: 'text' as const, text }]),
      ...(names.length === 0 ? [] : [textCallsContent(names)]),
    ]
  }
  const passed = content.flatMap((piece): Content[] => {
    if (piece.type === 'tool-call') return [...rest(), piece]
    if (piece.type !== 'text') return [piece]
    const { text } = filter.push(piece.text)
    return text === '' && piece.providerMetadata === undefined ? [] : [{ ...piece, text }]
  })
  return [...passed, ...rest()]
}

function hideInStream(stream: ReadableStream<Part>, filter: TextFilter): ReadableStream<Part> {
  const source = stream.getReader()
  let open: string | undefined

  /** Text that was held back comes before the next part. */
  function rest(): Part[] {
    if (filter.isOver() || open === undefined) return []
    const { text, names } = filter.end()
    return [
      ...(text === '' ? [] : [{ type: 'text-delta' as const, id: open, delta: text }]),
      ...(names.length === 0 ? [] : [textCallsPart(names)]),
    ]
  }

  function pass(part: Part): Part[] {
    if (part.type === 'text-delta') {
      open = part.id
      const { text } = filter.push(part.delta)
      return text === '' && part.providerMetadata === undefined ? [] : [{ ...part, delta: text }]
    }
    const isEnd =
      part.type === 'text-end' || part.type === 'tool-call' || part.type === 'finish' || part.type === 'error'
    return isEnd ? [...rest(), part] : [part]
  }

  return new ReadableStream<Part>({
    async pull(controller) {
      for (;;) {
        const { done, value } = await source.read()
        const passed = done ? rest() : pass(value)
        for (const part of passed) controller.enqueue(part)
        if (done) return controller.close()
        if (passed.length > 0) return
      }
    },
    cancel: (reason) => source.cancel(reason),
  })
}

/**
 * Returns a function that tells if a text occurs in the prompt, in a user message or a result. A call that a model
 * repeats from a note is not its own. White space and the backslashes of neutralising are ignored.
 */
function quotationCheck(prompt: LanguageModelV3Prompt): (text: string) => boolean {
  let given: string | undefined
  return (text) => {
    given ??= withoutSpaces(prompt.map(outsideText).join('\n'))
    return given.includes(withoutSpaces(text))
  }
}

const withoutSpaces = (text: string): string => text.replace(/[\s\\]+/g, '')

function outsideText(message: LanguageModelV3Prompt[number]): string {
  if (message.role === 'user') return message.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
  if (message.role !== 'tool') return ''
  return message.content.map((part) => (part.type === 'tool-result' ? valueText(part.output) : '')).join('\n')
}

function valueText(output: object): string {
  const value = 'value' in output ? output.value : ''
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
