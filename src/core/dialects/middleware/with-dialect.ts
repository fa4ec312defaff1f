import { Failure } from '../../errors.js'
import {
  type DialectMemory,
  type LanguageModelV3,
  type LanguageModelV3CallOptions,
  modelFailureData,
  type Profile,
  probeDialect,
} from '../../model/index.js'
import type { JsonSchema } from '../reader-tool.js'
import { neutralisePrompt } from './flatten-prompt.js'
import { type OpenReply, readReplyContent, readReplyStream } from './read-reply-stream.js'
import { replyParts } from './reply-parts.js'
import { resultMarks } from './result-mark.js'
import { type TextDialect, textDialect, textDialects } from './text-dialect.js'
import { withRules } from './with-rules.js'
import { forbidsParallelCalls, functionTools, writeRequest } from './write-request.js'

export interface DialectOptions {
  /** How the model calls tools. `auto`: as the profile says, or as it turns out when the model is asked once. */
  dialect: 'native' | 'auto' | (string & {}) | TextDialect
  profile: Profile
  /** Other names that tools answer to, each with the tool's own name. */
  aliases?: Readonly<Record<string, string>>
  /** Unless told, as the profile says. A request can forbid what is allowed here. */
  parallelCalls?: boolean
  /** Only with `native`: also reads calls and reasoning that the model writes as text. A call that came natively counts alone. */
  textCalls?: boolean
  /** Only with `auto`: where the answer is kept, under the name of the model as people write it. */
  memory?: DialectMemory
  name?: string
}

/** Makes a model that writes its calls as text look like one that calls tools by its provider's own protocol. */
export function withDialect(model: LanguageModelV3, options: DialectOptions): LanguageModelV3 {
  const { dialect, profile } = options
  if (dialect === 'auto')
    return profile.dialect === 'auto'
      ? asked(model, options)
      : withDialect(model, { ...options, dialect: profile.dialect })
  if (dialect === 'native') {
    const told = withRules(model, profile)
    return options.textCalls ? wrapped(told, options) : told
  }
  return wrapped(model, options, typeof dialect === 'string' ? textDialect(dialect) : dialect)
}

interface Prepared {
  params: LanguageModelV3CallOptions
  open: OpenReply
}

/** Without a dialect to teach, the request stays native and only the reply is read. */
function wrapped(model: LanguageModelV3, options: DialectOptions, dialect?: TextDialect): LanguageModelV3 {
  const { profile, aliases = {} } = options
  const mark = resultMarks()
  let startsInReasoning = profile.startsInReasoning

  function prepare(given: LanguageModelV3CallOptions): Prepared {
    const parallel = !forbidsParallelCalls(given) && (options.parallelCalls ?? profile.parallelCalls)
    const { params, isChanged } = dialect
      ? writeRequest(given, { dialect, profile, mark, parallel })
      : safeRequest(given)
    const tools = functionTools(given).map(({ name, inputSchema }) => ({
      name,
      inputSchema: inputSchema as JsonSchema,
      aliases: Object.keys(aliases).filter((alias) => aliases[alias] === name),
    }))
    const open: OpenReply = (hasReasoning) => {
      const assumesReasoning = startsInReasoning && !hasReasoning
      return replyParts({
        reader: (dialect ?? textDialects[0]).open({ tools, startsInReasoning: assumesReasoning }),
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

function safeRequest(given: LanguageModelV3CallOptions) {
  if (functionTools(given).length === 0) return { params: given, isChanged: false }
  const { prompt, isChanged } = neutralisePrompt(given.prompt)
  return { params: { ...given, prompt }, isChanged }
}

/** Asks the model how it calls tools when tools are first offered, and goes on with the answer. */
function asked(model: LanguageModelV3, options: DialectOptions): LanguageModelV3 {
  const { profile, name = `${model.provider}/${model.modelId}`, memory = shortMemory() } = options
  const names = ['native', profile.textDialect, ...textDialects.map((dialect) => dialect.name)]
  const wraps = new Map<string, LanguageModelV3>()
  const wrap = (dialect: string): LanguageModelV3 => {
    const known = wraps.get(dialect) ?? withDialect(model, { ...options, dialect, textCalls: true })
    wraps.set(dialect, known)
    return known
  }
  const candidates = [...new Set(names)].map((dialect) => ({ name: dialect, wrap: () => wrap(dialect) }))
  let chosen: Promise<LanguageModelV3> | undefined

  function choose(given: LanguageModelV3CallOptions): Promise<LanguageModelV3> {
    if (!speaksOfTools(given)) return chosen ?? Promise.resolve(wrap('native'))
    const signal = given.abortSignal ?? new AbortController().signal
    chosen ??= probeDialect(model, { name, candidates, memory, signal, profile }).then(
      ({ dialect }) => wrap(dialect),
      (error) => {
        // Not an answer: the next request asks again.
        chosen = undefined
        throw triedAlready(error)
      },
    )
    return chosen
  }

  return {
    specificationVersion: 'v3',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: async (given) => (await choose(given)).doGenerate(given),
    doStream: async (given) => (await choose(given)).doStream(given),
  }
}

/** Asking was repeated as often as it makes sense; whoever made the request need not do it all over again. */
function triedAlready(error: unknown): unknown {
  if (!(error instanceof Failure) || !modelFailureData(error)?.retryable) return error
  return new Failure(error.code, error.message, {
    ...error.details,
    data: { ...error.details.data, retryable: false },
  })
}

function speaksOfTools(given: LanguageModelV3CallOptions): boolean {
  return functionTools(given).length > 0 || given.prompt.some(({ role }) => role === 'tool')
}

function shortMemory(): DialectMemory {
  const known = new Map<string, string>()
  return {
    recall: async (model) => known.get(model),
    remember: async (model, dialect) => void known.set(model, dialect),
  }
}
