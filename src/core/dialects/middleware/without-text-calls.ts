import {
  type LanguageModelV3,
  type LanguageModelV3CallOptions,
  type LanguageModelV3StreamPart,
  textCallsPart,
} from '../../model/index.js'
import { openReader } from '../open-reader.js'
import type { ReaderEvent } from '../reader-event.js'
import { quotationIn } from './quotation.js'
import { functionTools, readerTools } from './write-request.js'

type Part = LanguageModelV3StreamPart

/** A native model whose replies never show a call: one that is a call written as text is held back, and said to be one. */
export function withoutTextCalls(model: LanguageModelV3, aliases?: Readonly<Record<string, string>>): LanguageModelV3 {
  return {
    specificationVersion: 'v3',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: (given) => model.doGenerate(given),
    async doStream(given) {
      const result = await model.doStream(given)
      if (functionTools(given).length === 0) return result
      return { ...result, stream: withheld(result.stream, given, aliases) }
    },
  }
}

function withheld(
  stream: ReadableStream<Part>,
  given: LanguageModelV3CallOptions,
  aliases?: Readonly<Record<string, string>>,
): ReadableStream<Part> {
  const source = stream.getReader()
  const tools = readerTools(given, aliases)
  const reader = openReader({ tools, wholeReplies: 'only', isQuotation: quotationIn(given.prompt) })
  let open: string | undefined
  let isOver = false

  function parts(events: readonly ReaderEvent[], id: string): Part[] {
    const names = events.flatMap((event) =>
      event.type === 'call' || event.type === 'error' ? [event.name ?? 'a tool'] : [],
    )
    const words = events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('')
    return [
      ...(words === '' ? [] : [{ type: 'text-delta' as const, id, delta: words }]),
      ...(names.length === 0 ? [] : [textCallsPart(names)]),
    ]
  }

  /** What was held back comes before anything else does. */
  function rest(): Part[] {
    if (isOver || open === undefined) return []
    isOver = true
    return parts(reader.end(), open)
  }

  function pass(part: Part): Part[] {
    if (part.type === 'text-delta' && !isOver) {
      open = part.id
      const [words, ...more] = parts(reader.push(part.delta), part.id)
      if (words?.type !== 'text-delta') return part.providerMetadata === undefined ? [] : [{ ...part, delta: '' }]
      return [{ ...part, delta: words.delta }, ...more]
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
