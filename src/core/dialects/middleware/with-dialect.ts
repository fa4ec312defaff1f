import type { DialectMemory, LanguageModelV3, LanguageModelV3CallOptions, Profile } from '../../model/index.js'
import { neutralisePrompt } from './flatten-prompt.js'
import { inFoundDialect } from './in-found-dialect.js'
import { jsonAnswer } from './json-answer.js'
import { quotationIn } from './quotation.js'
import { type OpenReply, readReplyContent, readReplyStream } from './read-reply-stream.js'
import { replyParts } from './reply-parts.js'
import { resultMarks } from './result-mark.js'
import { type TextDialect, textDialect, textDialects } from './text-dialect.js'
import { withRules } from './with-rules.js'
import { withoutTextCalls } from './without-text-calls.js'
import { forbidsParallelCalls, functionTools, readerTools, writeRequest } from './write-request.js'

export interface DialectOptions {
  /** How the model calls tools. `auto`: as the profile says, or as it turns out when it is asked or its server refuses. */
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
  const { dialect, profile, aliases } = options
  if (dialect === 'auto') return found(model, options)
  if (dialect === 'native') {
    const told = withRules(model, profile)
    return options.textCalls ? wrapped(told, options) : withoutTextCalls(told, aliases)
  }
  return wrapped(model, options, typeof dialect === 'string' ? textDialect(dialect) : dialect)
}

function found(model: LanguageModelV3, options: DialectOptions): LanguageModelV3 {
  const { profile } = options
  const isAsked = profile.dialect === 'auto'
  if (!isAsked && profile.dialect !== 'native') return withDialect(model, { ...options, dialect: profile.dialect })
  const wrap = (dialect: string) => withDialect(model, { ...options, dialect, textCalls: isAsked })
  return inFoundDialect(model, { ...options, wrap })
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
    const tools = readerTools(given, aliases)
    const open: OpenReply = (hasReasoning) => {
      const assumesReasoning = startsInReasoning && !hasReasoning
      const reader = (dialect ?? textDialects[0]).open({
        tools,
        startsInReasoning: assumesReasoning,
        isQuotation: quotationIn(given.prompt),
      })
      return replyParts({
        reader: mustBeJson(given) ? jsonAnswer(reader) : reader,
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

/** The whole reply is one JSON value: it was asked for, and nothing can be called. */
function mustBeJson(given: LanguageModelV3CallOptions): boolean {
  const isClosed = functionTools(given).length === 0 || given.toolChoice?.type === 'none'
  return given.responseFormat?.type === 'json' && isClosed
}

function safeRequest(given: LanguageModelV3CallOptions) {
  if (functionTools(given).length === 0) return { params: given, isChanged: false }
  const { prompt, isChanged } = neutralisePrompt(given.prompt)
  return { params: { ...given, prompt }, isChanged }
}
