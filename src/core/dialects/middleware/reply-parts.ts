import type { LanguageModelV3StreamPart } from '../../model/index.js'
import type { Reader } from '../open-reader.js'
import type { ReaderEvent } from '../reader-event.js'
import { restoreDeep } from '../writing/neutralise.js'
import type { CallGate } from './call-gate.js'
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
  /** Characters after calls that were left out. */
  cut(): number
}

export interface ReplyOptions {
  reader: Reader
  gate: CallGate
  /** Text in the prompt was neutralised: what the model copied from it is given back its own form. */
  restores: boolean
  /** The reader was told that the reply begins inside reasoning, and it may not be true. */
  assumesReasoning: boolean
  /** Calls wait for the end. */
  holdCalls?: boolean
  /** Tells whether this model's replies begin inside reasoning, once it is known. */
  learn(startsInReasoning: boolean): void
}

export function replyParts(options: ReplyOptions): ReplyParts {
  const { reader, gate, restores, learn } = options
  const prefix = `reply-${crypto.randomUUID().slice(0, 8)}`
  let blocks = 0
  const nextId = () => `${prefix}-${++blocks}`
  const text = shownBlocks('text', restores, nextId)
  let thought = shownBlocks('reasoning', restores, nextId)
  const ids = new Map<number, string>()
  const held: Part[] = []
  let passed = 0
  let cut = 0
  /** Reasoning that began without an opening tag, until it is known to have ended. */
  let assumed: string[] | undefined = options.assumesReasoning ? [] : undefined

  function idOf(index: number): string {
    const id = ids.get(index) ?? `call-${crypto.randomUUID()}`
    ids.set(index, id)
    return id
  }

  function passOn(parts: Part[]): Part[] {
    text.trim()
    if (parts.length === 0) return []
    if (!options.holdCalls) return [...text.close(), ...parts]
    held.push(...parts)
    return []
  }

  function failed(index: number, name: string, error: string, isUnknown = false): Part[] {
    const toolCallId = idOf(index)
    // No JSON, so that nothing can be run with it.
    const call = { type: 'tool-call' as const, toolCallId, toolName: name, input: error }
    passed++
    return passOn([...inputEnd(index), { ...call, ...noteOn({ error, ...(isUnknown && { isUnknown }) }) }])
  }

  const started = new Set<number>()
  function inputEnd(index: number, input?: string): Part[] {
    if (!started.has(index)) return []
    const id = idOf(index)
    return [
      ...(input === undefined ? [] : [{ type: 'tool-input-delta' as const, id, delta: input }]),
      { type: 'tool-input-end', id },
    ]
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
      case 'call-start':
        if (!gate.passes(event.index) || gate.refusal(event.name) !== undefined || options.holdCalls) return []
        started.add(event.index)
        return passOn([{ type: 'tool-input-start', id: idOf(event.index), toolName: event.name }])
      case 'call': {
        const { index, name } = event
        if (!gate.passes(index)) return passOn([])
        const refusal = gate.refusal(name)
        if (refusal !== undefined) return failed(index, name, refusal)
        const input = JSON.stringify(restores ? restoreDeep(event.arguments) : event.arguments)
        passed++
        return passOn([
          ...inputEnd(index, input),
          { type: 'tool-call', toolCallId: idOf(index), toolName: name, input },
        ])
      }
      case 'error':
        if (!gate.passes(event.index)) return passOn([])
        return failed(event.index, event.name ?? '', event.message, event.kind === 'unknown-tool')
      case 'text-cut':
        cut += event.characters
        return []
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
    cut: () => cut,
  }
}
