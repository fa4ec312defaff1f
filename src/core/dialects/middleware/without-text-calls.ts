import {
  type LanguageModelV3,
  type LanguageModelV3CallOptions,
  type LanguageModelV3GenerateResult,
  type LanguageModelV3StreamPart,
  textCallsContent,
  textCallsPart,
} from '../../model/index.js'
import { openReader } from '../open-reader.js'
import type { ReaderEvent } from '../reader-event.js'
import { quotationIn } from './quotation.js'
import { functionTools, readerTools } from './write-request.js'

type Part = LanguageModelV3StreamPart
type Content = LanguageModelV3GenerateResult['content'][number]

/** A native model whose replies never show a call: one that is a call written as text is held back, and said to be one. */
export function withoutTextCalls(model: LanguageModelV3, aliases?: Readonly<Record<string, string>>): LanguageModelV3 {
  return {
    specificationVersion: 'v3',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    async doGenerate(given) {
      const result = await model.doGenerate(given)
      if (functionTools(given).length === 0) return result
      return { ...result, content: withheldContent(result.content, textFilter(given, aliases)) }
    },
    async doStream(given) {
      const result = await model.doStream(given)
      if (functionTools(given).length === 0) return result
      return { ...result, stream: withheld(result.stream, textFilter(given, aliases)) }
    },
  }
}

/** What may be shown of a text, and the names of the calls that it turned out to be. */
interface Filtered {
  words: string
  names: string[]
}

interface TextFilter {
  push(text: string): Filtered
  /** What was held back; nothing is held after this. */
  end(): Filtered
  isOver(): boolean
}

function textFilter(given: LanguageModelV3CallOptions, aliases?: Readonly<Record<string, string>>): TextFilter {
  const tools = readerTools(given, aliases)
  const reader = openReader({ tools, wholeReplies: 'only', isQuotation: quotationIn(given.prompt) })
  let isOver = false
  return {
    push: (text) => filtered(isOver ? [{ type: 'text', text }] : reader.push(text)),
    end() {
      isOver = true
      return filtered(reader.end())
    },
    isOver: () => isOver,
  }
}

function filtered(events: readonly ReaderEvent[]): Filtered {
  return {
    words: events.map((event) => (event.type === 'text' ? event.text : '')).join(''),
    names: events.flatMap((event) => (event.type === 'call' || event.type === 'error' ? [event.name ?? 'a tool'] : [])),
  }
}

function withheldContent(content: readonly Content[], filter: TextFilter): Content[] {
  /** What was held back comes before anything else does. */
  const rest = (): Content[] => {
    if (filter.isOver()) return []
    const { words, names } = filter.end()
    return [
      ...(words === '' ? [] : [{ type: 'text' as const, text: words }]),
      ...(names.length === 0 ? [] : [textCallsContent(names)]),
    ]
  }
  const passed = content.flatMap((piece): Content[] => {
    if (piece.type === 'tool-call') return [...rest(), piece]
    if (piece.type !== 'text') return [piece]
    const { words } = filter.push(piece.text)
    return words === '' && piece.providerMetadata === undefined ? [] : [{ ...piece, text: words }]
  })
  return [...passed, ...rest()]
}

function withheld(stream: ReadableStream<Part>, filter: TextFilter): ReadableStream<Part> {
  const source = stream.getReader()
  let open: string | undefined

  /** What was held back comes before anything else does. */
  function rest(): Part[] {
    if (filter.isOver() || open === undefined) return []
    const { words, names } = filter.end()
    return [
      ...(words === '' ? [] : [{ type: 'text-delta' as const, id: open, delta: words }]),
      ...(names.length === 0 ? [] : [textCallsPart(names)]),
    ]
  }

  function pass(part: Part): Part[] {
    if (part.type === 'text-delta') {
      open = part.id
      const { words } = filter.push(part.delta)
      return words === '' && part.providerMetadata === undefined ? [] : [{ ...part, delta: words }]
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
