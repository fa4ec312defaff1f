import type { ModelRequest, OfferedTool, RequestSettings } from '../../core/model/index.js'
import { badField } from '../server/index.js'
import { conversationOf } from './conversation.js'
import type { Asked, Effort } from './request/asked.js'
import type { ClientTool } from './request/tools.js'
import type { Telling } from './tell-reply.js'
import { roomFor, withoutOldest } from './truncation.js'

/** The request in our own words, for any backend. */
export function modelRequest(telling: Omit<Telling, 'log'>): ModelRequest {
  const { asked, items, backend, window, sealed, signal } = telling
  const { system, messages } = conversationOf(items, asked.instructions, sealed)
  if (messages.length === 0) throw badField('input', 'There is nothing to answer.')
  const tools = offeredTools(asked)
  return {
    ...(system && { system }),
    messages: window ? withoutOldest(messages, roomFor({ system, tools, asked, window })) : messages,
    tools,
    toolChoice: choiceOf(asked),
    profile: backend.profile,
    signal,
    // Whether and when to try again is the client's to decide.
    settings: { ...requestSettings(asked), retry: { attempts: 1 } },
  }
}

/** How the reply is asked for. */
export function requestSettings(asked: Asked): RequestSettings {
  return {
    ...given({
      temperature: asked.temperature,
      topP: asked.topP,
      presencePenalty: asked.presencePenalty,
      frequencyPenalty: asked.frequencyPenalty,
      maxOutputTokens: asked.maxOutputTokens,
      stop: asked.stop,
      seed: asked.seed,
    }),
    ...answerShape(asked),
    ...(asked.reasoning?.effort && { thinking: thinkingFor[asked.reasoning.effort] }),
    parallelCalls: asked.parallelToolCalls,
  }
}

export function offeredTools({ tools }: Asked): OfferedTool[] {
  return tools.map(offered)
}

function offered({ name, description, parameters, strict }: ClientTool) {
  return {
    name,
    description: description ?? '',
    inputSchema: parameters ?? { type: 'object', properties: {} },
    ...(strict !== null && { strict }),
  }
}

function choiceOf({ toolChoice }: Asked): ModelRequest['toolChoice'] {
  if (typeof toolChoice === 'string') return toolChoice
  if (toolChoice.type === 'function') return { tool: toolChoice.name }
  return { tools: toolChoice.tools.map(({ name }) => name), mode: toolChoice.mode }
}

function answerShape({ format }: Asked) {
  if (format.type === 'text') return {}
  if (format.type === 'json_object') return { answer: {} }
  const { schema, name, description, strict } = format
  return { answer: { schema, name, strict, ...(description && { description }) } }
}

/** Efforts in tokens, as the families that count know them. */
const thinkingFor: Record<Effort, 'off' | number> = {
  none: 'off',
  minimal: 'off',
  low: 2048,
  medium: 8192,
  high: 24_576,
  xhigh: 49_152,
}

function given<Values extends object>(values: Values): { [Key in keyof Values]?: NonNullable<Values[Key]> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)) as never
}
