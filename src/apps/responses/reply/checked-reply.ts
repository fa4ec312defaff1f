import { Failure } from '../../../core/errors.js'
import {
  addUsage,
  askModel,
  type LanguageModelV3,
  type ModelMessage,
  type ModelRequest,
  modelFailure,
  modelFailureData,
  type ReplyCall,
  type ReplyFinish,
  type StepUsage,
} from '../../../core/model/index.js'
import { schemaReasons } from '../../../core/tools/index.js'
import type { ClientTool } from '../request/tools.js'
import type { FinishReason, Told } from './told.js'

export interface CheckedRequest {
  request: ModelRequest
  tools: readonly ClientTool[]
  /** Calls beyond these are left out. */
  mostCalls: number
  /** Seals what the provider wants back with its thoughts, for a client that will send them back. */
  sealThoughts?(options: object): string
  log(line: string): void
}

/** One reply of the model as far as it was told; a second one mends what was wrong with its calls. */
interface Checking {
  model: LanguageModelV3
  setup: CheckedRequest
  /** Calls whose arguments are told while they are written, with what was told. */
  writing: Map<string, string>
  /** How many calls were told, and which: a model that is asked once more may make them again. */
  calls: number
  told: Set<string>
  wrong: WrongCall[]
  usage: StepUsage
  isMended: boolean
}

interface WrongCall {
  call: ReplyCall
  why: string
  isUnknown: boolean
}

/**
 * Asks the model and tells its reply. A call of a tool that was not offered, or one that breaks a strict schema, is
 * not told at first: the model hears what is wrong and is asked once more. If it insists, an unknown call is told all
 * the same, since the client may know it; strict arguments that do not fit are a failure.
 */
export async function* checkedReply(model: LanguageModelV3, setup: CheckedRequest): AsyncGenerator<Told, void, void> {
  const state: Checking = {
    model,
    setup,
    writing: new Map(),
    calls: 0,
    told: new Set(),
    wrong: [],
    usage: {},
    isMended: false,
  }
  let { messages } = setup.request
  for (;;) {
    const finish = yield* oneReply(state, messages)
    if (finish === undefined) return
    if (state.wrong.length === 0 || state.isMended) return yield* conclude(state, finish)
    const why = state.wrong.map((wrong) => wrong.why).join(' ')
    setup.log(
      `asks the model once more: ${state.wrong.map(({ call }) => call.name.slice(0, 64)).join(', ')} cannot be called so`,
    )
    messages = [...messages, ...withoutCalls(finish.message), { role: 'user', content: why }]
    state.isMended = true
    state.wrong = []
  }
}

async function* oneReply(
  state: Checking,
  messages: readonly ModelMessage[],
): AsyncGenerator<Told, ReplyFinish | undefined, void> {
  const { model, setup } = state
  for await (const event of askModel(model, { ...setup.request, messages })) {
    switch (event.type) {
      case 'text-delta':
      case 'reasoning-delta':
        yield event
        break
      case 'reasoning-signed':
        if (setup.sealThoughts) yield { type: 'thought-seal', sealed: setup.sealThoughts(event.providerOptions) }
        break
      case 'tool-input-start':
        if (mayBeginNow(state, event.name)) {
          state.writing.set(event.id, '')
          state.calls++
          yield { type: 'call-start', id: event.id, name: event.name }
        }
        break
      case 'tool-input-delta':
        if (state.writing.has(event.id)) {
          state.writing.set(event.id, state.writing.get(event.id) + event.text)
          yield { type: 'call-delta', id: event.id, text: event.text }
        }
        break
      case 'tool-call':
        yield* callEnd(state, event.call)
        break
      case 'notice':
        setup.log(event.text)
        break
      case 'retry':
        setup.log(`asks the backend again in ${event.waitMs} ms: ${event.failure.message}`)
        break
      case 'repair':
        setup.log('asks the model once more: the reply did not keep to the choice of tools')
        break
      case 'finish':
        addUsage(state.usage, event.usage)
        return event
      case 'failed':
        yield cutOrFailed(event.failure, state.usage)
        return undefined
      default:
        event satisfies never
    }
  }
  throw new Error('A reply ends with finish or failed.')
}

/** A known tool without a strict schema; one at a time, so that the arguments of two never mix. */
function mayBeginNow({ setup, writing, calls, isMended }: Checking, name: string): boolean {
  const tool = setup.tools.find((one) => one.name === name)
  return tool !== undefined && tool.strict !== true && !isMended && writing.size === 0 && calls < setup.mostCalls
}

function* callEnd(state: Checking, call: ReplyCall): Generator<Told> {
  const { setup } = state
  const told = state.writing.get(call.id)
  if (told === undefined) {
    if (state.calls >= setup.mostCalls || state.told.has(keyOf(call))) return
    const wrong = wrongCall(call, setup.tools)
    if (wrong !== undefined) state.wrong.push(wrong)
    else yield* wholeCall(state, call)
    return
  }
  state.writing.delete(call.id)
  state.told.add(keyOf(call))
  // What was told cannot be taken back; the rest is added where the end only says more.
  if (!call.argumentsText.startsWith(told)) {
    throw new Failure('internal', 'The arguments that came at the end of a call are not those that came before.')
  }
  const rest = call.argumentsText.slice(told.length)
  if (rest !== '') yield { type: 'call-delta', id: call.id, text: rest }
  yield { type: 'call-end', id: call.id, name: call.name, argumentsText: call.argumentsText }
}

function* wholeCall(state: Checking, call: ReplyCall): Generator<Told> {
  const { id, name, argumentsText } = call
  state.calls++
  state.told.add(keyOf(call))
  yield { type: 'call-start', id, name }
  if (argumentsText !== '') yield { type: 'call-delta', id, text: argumentsText }
  yield { type: 'call-end', id, name, argumentsText }
}

const keyOf = ({ name, argumentsText }: ReplyCall): string => `${name}\0${argumentsText}`

function wrongCall(call: ReplyCall, tools: readonly ClientTool[]): WrongCall | undefined {
  const tool = tools.find(({ name }) => name === call.name)
  if (tool === undefined) {
    const names = tools.map(({ name }) => name).join(', ')
    const there =
      names === '' ? 'There are none: answer in plain text.' : `There is ${names}. Call one of them, or answer.`
    return { call, isUnknown: true, why: `There is no tool named ${call.name.slice(0, 64)}. ${there}` }
  }
  if (tool.strict !== true) return undefined
  const reasons = call.error ? [call.error] : schemaReasons({ jsonSchema: tool.parameters ?? {} }, call.input)
  if (reasons.length === 0) return undefined
  const why = `The arguments of ${call.name} do not fit its schema: ${reasons.slice(0, 5).join(', ')}. Make the call again.`
  return { call, isUnknown: false, why }
}

function* conclude(state: Checking, finish: ReplyFinish): Generator<Told> {
  const misfit = state.wrong.find(({ isUnknown }) => !isUnknown)
  for (const { call, isUnknown } of state.wrong) {
    if (!isUnknown) continue
    state.setup.log(`passes on a call of ${call.name.slice(0, 64)}, which was not among the tools`)
    yield* wholeCall(state, call)
  }
  if (misfit !== undefined) {
    const { provider, modelId } = state.model
    const failure = modelFailure(
      'malformed',
      { provider, modelId },
      `${modelId} did not keep to a strict schema. ${misfit.why}`,
    )
    yield { type: 'failed', failure, usage: state.usage }
    return
  }
  yield { type: 'finish', reason: reasonOf(finish, state.calls), usage: state.usage }
}

function reasonOf({ reason }: ReplyFinish, calls: number): FinishReason {
  if (reason === 'length' || reason === 'content-filter') return reason
  return calls > 0 ? 'tool-calls' : 'stop'
}

/** A reply that used up its room, or was held back, before a word of the answer is no fault: it is incomplete. */
function cutOrFailed(failure: Failure, usage: StepUsage): Told {
  const data = modelFailureData(failure)
  if (data?.kind === 'filtered') return { type: 'finish', reason: 'content-filter', usage }
  if (data?.ended === 'length') return { type: 'finish', reason: 'length', usage }
  return { type: 'failed', failure, usage }
}

function withoutCalls(message: ReplyFinish['message']): ModelMessage[] {
  const content = message.content.filter(({ type }) => type === 'text')
  return content.length === 0 ? [] : [{ role: 'assistant', content }]
}
