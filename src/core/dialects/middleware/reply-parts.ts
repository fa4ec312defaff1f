import type { LanguageModelV3StreamPart } from '../../model/index.js'
import type { Reader } from '../open-reader.js'
import type { CallRead, ReaderEvent } from '../reader-event.js'
import { restoreDeep } from '../writing/neutralise.js'
import { noteOn } from './call-note.js'
import { shownBlocks } from './shown-blocks.js'

type Part = LanguageModelV3StreamPart

/** What a reply in text says, as the parts a model with tools of its own would have sent. */
export interface ReplyParts {
  read(text: string): Part[]
  /** Something else comes in between, such as a call by the provider's own protocol: ends the open block. */
  interrupt(): Part[]
  /** `isWhole`: the model stopped by itself. `passCalls` is false when the calls have come another way. */
  end(ending: { isWhole: boolean; passCalls?: boolean }): Part[]
  hasCalls(): boolean
}

export interface ReplyOptions {
  reader: Reader
  /** Of several calls only the first goes on. */
  oneCall: boolean
  /** Text in the prompt was neutralised: what the model copied from it is given back its own form. */
  restores: boolean
  /** The reader was told that the reply begins inside reasoning, and it may not be true. */
  assumesReasoning: boolean
  /** Calls wait for the end. */
  holdCalls?: boolean
  /** Tells whether this model's replies begin inside reasoning, once it is known. */
  learn: (startsInReasoning: boolean) => void
}

export function replyParts(options: ReplyOptions): ReplyParts {
  const { reader, restores, learn } = options
  const prefix = `reply-${crypto.randomUUID().slice(0, 8)}`
  let blocks = 0
  const nextId = () => `${prefix}-${++blocks}`
  const text = shownBlocks('text', restores, nextId)
  let thought = shownBlocks('reasoning', restores, nextId)
  const held: Part[] = []
  let passed = 0
  /** Reasoning that began without an opening tag, until it is known to have ended. */
  let assumed: string[] | undefined = options.assumesReasoning ? [] : undefined

  /** One part of a stream that ends with a call; its arguments come in one piece. */
  function passOn(toolName: string, input: string, { id = '', error }: { id?: string; error?: string }): Part[] {
    text.trim()
    if (options.oneCall && passed > 0) return []
    passed++
    const toolCallId = id || `call_${crypto.randomUUID()}`
    const parts: Part[] = [
      { type: 'tool-input-start', id: toolCallId, toolName },
      { type: 'tool-input-delta', id: toolCallId, delta: input },
      { type: 'tool-input-end', id: toolCallId },
      { type: 'tool-call', toolCallId, toolName, input, ...(error && noteOn({ error })) },
    ]
    if (!options.holdCalls) return [...text.close(), ...parts]
    held.push(...parts)
    return []
  }

  function take(event: ReaderEvent, isReasoning: boolean): Part[] {
    switch (event.type) {
      case 'text':
        return isReasoning ? thought.show(event.text) : text.show(event.text)
      case 'reasoning-start':
        text.trim()
        thought = shownBlocks('reasoning', restores, nextId)
        thought.trim()
        return text.close()
      case 'reasoning':
        assumed?.push(event.text)
        return thought.show(event.text)
      case 'reasoning-end':
        return thought.close()
      case 'text-was-reasoning': {
        learn(true)
        const parts = [...thought.close(), ...text.close(noteOn({ wasReasoning: true }).providerMetadata)]
        text.trim()
        text.restart()
        return parts
      }
      case 'call':
        return passOn(event.name, inputText(event, restores), event)
      case 'error':
        if (event.kind === 'unknown-tool') return passOn(event.name, inputText(event, restores), event)
        // No JSON, so that nothing can be run with it.
        return passOn(event.name ?? '', event.message, { error: event.message })
      default:
        return event satisfies never
    }
  }

  function takeAll(events: readonly ReaderEvent[]): Part[] {
    // What has not been shown yet can still be told as what it is.
    const until = events.findIndex(({ type }) => type === 'text-was-reasoning')
    return events.flatMap((event, at) => {
      if (at < until && !text.hasShown()) thought.trim()
      return take(event, at < until && !text.hasShown())
    })
  }

  return {
    read(piece) {
      const events = reader.push(piece)
      const parts = takeAll(events)
      if (events.some(({ type }) => type === 'reasoning-end')) assumed = undefined
      return parts
    },
    interrupt: () => [...text.rest(), ...text.close()],
    end({ isWhole, passCalls = true }) {
      const events = reader.end()
      const parts = takeAll(events)
      const isOpen = assumed !== undefined && !events.some(({ type }) => type === 'text' || type === 'call')
      if (isOpen && assumed?.length && isWhole && !text.hasShown()) {
        // The model has finished and nothing closed the reasoning: it was the answer after all.
        learn(false)
        text.trim()
        parts.push(...text.show(assumed.join('')))
      }
      if (!passCalls) passed = 0
      return [...parts, ...text.rest(), ...text.close(), ...(passCalls ? held : [])]
    },
    hasCalls: () => passed > 0,
  }
}

/** The arguments as the model wrote them, if that is JSON and nothing in it was copied from text that had been neutralised. */
function inputText({ arguments: args, text }: Pick<CallRead, 'arguments' | 'text'>, restores: boolean): string {
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
    return false
  }
}
