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
  /** What an answer must fit; it is told once it does. */
  answerSchema?: Record<string, unknown>
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
  /** An answer that has not been checked yet. */
  held: string
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
 * not told at first, nor is an answer that does: the model hears what is wrong and is asked once more. If it insists,
 * an unknown call is told all the same, since the client may know it; what does not fit a strict schema is a failure.
 */
export async function* checkedReply(model: LanguageModelV3, setup: CheckedRequest): AsyncGenerator<Told, void, void> {
  const state: Checking = {
    model,
    setup,
    writing: new Map(),
    calls: 0,
    told: new Set(),
    wrong: [],
    held: '',
    usage: {},
    isMended: false,
  }
  let { messages } = setup.request
  for (;;) {
    const finish = yield* oneReply(state, messages)
    if (finish === undefined) return
    const misfit = wrongAnswer(state, finish)
    const whys = [...state.wrong.map(({ why }) => why), ...(misfit === undefined ? [] : [misfit])]
    if (whys.length === 0 || state.isMended) return yield* conclude(state, finish, misfit)
    const names = state.wrong.map(({ call }) => call.name.slice(0, 64)).join(', ')
    setup.log(
      `asks the model once more: ${names ? `${names} cannot be called so` : 'the answer does not fit its schema'}`,
    )
    messages = [...messages, ...withoutCalls(finish.message), { role: 'user', content: whys.join(' ') }]
    state.isMended = true
    state.wrong = []
    state.held = ''
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
        if (setup.answerSchema === undefined) yield event
        else state.held += event.text
        break
      case 'reasoning-delta':
        yield event
        break
      case 'reasoning-signed':
        if (setup.sealThoughts) yield { type: 'thought-seal', sealed: setup.sealThoughts(event.providerOptions) }
        break
      case 'tool-input-start':
        if (mayBeginNow(state, event.name)) {
          yield* heldText(state)
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
        yield* heldText(state)
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

/** What was held back, where it is no answer to be checked, or has been. */
function* heldText(state: Checking): Generator<Told> {
  if (state.held !== '') yield { type: 'text-delta', text: state.held }
  state.held = ''
}

function* wholeCall(state: Checking, call: ReplyCall): Generator<Told> {
  const { id, name, argumentsText } = call
  yield* heldText(state)
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

/** Why an answer that came whole does not fit; words beside a call are none. */
function wrongAnswer({ setup, held, calls, wrong }: Checking, { reason }: ReplyFinish): string | undefined {
  const isWhole = reason !== 'length' && reason !== 'content-filter'
  if (setup.answerSchema === undefined || !isWhole || calls + wrong.length > 0) return undefined
  const reasons = answerReasons(held, setup.answerSchema)
  if (reasons.length === 0) return undefined
  return `The answer does not fit its schema: ${reasons.slice(0, 5).join(', ')}. Answer again, with nothing but JSON that fits.`
}

function answerReasons(text: string, schema: Record<string, unknown>): string[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return ['it is not JSON']
  }
  return schemaReasons({ jsonSchema: schema }, value)
}

function* conclude(state: Checking, finish: ReplyFinish, wrongText: string | undefined): Generator<Told> {
  yield* heldText(state)
  const misfit = state.wrong.find(({ isUnknown }) => !isUnknown)?.why ?? wrongText
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
      `${modelId} did not keep to a strict schema. ${misfit}`,
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
