import { Failure } from '../../core/errors.js'
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
} from '../../core/model/index.js'
import { schemaReasons } from '../../core/tools/index.js'
import type { Annotation, StepItem } from './items.js'
import { type BackendRequest, modelRequest } from './model-request.js'
import type { ClientTool } from './request/parsed-request.js'

/** Asks the backend. Errors become a `failed` event; only an abort throws. Leaving the generator stops the request. */
export async function* backendReply(
  backendRequest: BackendRequest,
  log: (line: string) => void,
): AsyncGenerator<ClientReplyEvent, void, void> {
  const { request, backend, signer, signal } = backendRequest
  try {
    yield* checkedReply(backend.model, {
      request: modelRequest(backendRequest),
      tools: request.tools,
      maxCalls: request.maxToolCalls ?? Number.POSITIVE_INFINITY,
      ...(request.format.type === 'json_schema' && request.format.strict && { answerSchema: request.format.schema }),
      ...(request.include.includes('reasoning.encrypted_content') && {
        signReasoning: (options: object) => signer.sign('reasoning', { options }),
      }),
      log,
    })
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof Failure)) log(`failed unexpectedly: ${(error as Error).stack ?? error}`)
    const failure = error instanceof Failure ? error : new Failure('internal', 'The server failed unexpectedly.')
    yield { type: 'failed', failure }
  }
}

/** An event of a reply to a client. The last one is `finish` or `failed`. */
export type ClientReplyEvent =
  | { type: 'text-delta'; text: string }
  | { type: 'reasoning-delta'; text: string }
  /** A call for the client to run; its arguments follow as they are generated. */
  | { type: 'call-start'; id: string; name: string }
  | { type: 'call-delta'; id: string; text: string }
  | { type: 'call-end'; id: string; name: string; argumentsText: string }
  /** Provider data to be sent back with the last reasoning. */
  | { type: 'reasoning-signature'; signed: string }
  | { type: 'annotations'; annotations: Annotation[] }
  | { type: 'step'; step: StepItem }
  /** `messages`: the turn as the vault's agent stores it. */
  | { type: 'finish'; reason: FinishReason; usage: StepUsage; messages?: ModelMessage[] }
  | { type: 'failed'; failure: Failure; usage?: StepUsage }

export type FinishReason = 'stop' | 'tool-calls' | 'length' | 'content-filter'

interface CheckedReplyOptions {
  request: ModelRequest
  tools: readonly ClientTool[]
  /** Further calls are dropped. */
  maxCalls: number
  /** JSON Schema of the answer, which is held back until it matches. */
  answerSchema?: Record<string, unknown>
  /** Signs provider data of reasoning, for a client that will send it back. */
  signReasoning?(options: object): string
  log(line: string): void
}

/** State of a reply, and of the second one that the model is asked for when calls were wrong. */
interface ReplyState {
  model: LanguageModelV3
  setup: CheckedReplyOptions
  /** Calls whose arguments are streamed, with the text sent so far. */
  streamedCalls: Map<string, string>
  /** Number of calls sent, and which: a model that is asked again may repeat them. */
  callCount: number
  sentCalls: Set<string>
  wrong: WrongCall[]
  /** An answer not checked yet, or text of the second reply, which may repeat the first. */
  heldText: string
  /** Text sent of the first reply. */
  sentText: string
  usage: StepUsage
  isRetry: boolean
}

interface WrongCall {
  call: ReplyCall
  reason: string
  /** `unreadable`: the text of the model cannot be parsed as a call. */
  kind: 'unknown' | 'mismatch' | 'unreadable'
}

/**
 * Asks the model and yields its reply. Unreadable calls, calls of tools that were not offered, and calls or answers
 * that violate a strict schema are held back: the model is told the error and asked once more. If it repeats them,
 * unknown calls are sent anyway (the client may know the tool), unreadable calls are sent as text.
 */
export async function* checkedReply(
  model: LanguageModelV3,
  setup: CheckedReplyOptions,
): AsyncGenerator<ClientReplyEvent, void, void> {
  const state: ReplyState = {
    model,
    setup,
    streamedCalls: new Map(),
    callCount: 0,
    sentCalls: new Set(),
    wrong: [],
    heldText: '',
    sentText: '',
    usage: {},
    isRetry: false,
  }
  let { messages } = setup.request
  for (;;) {
    const finish = yield* oneReply(state, messages)
    if (finish === undefined) return
    const mismatch = checkAnswer(state, finish)
    const reasons = [...state.wrong.map(({ reason }) => reason), ...(mismatch === undefined ? [] : [mismatch])]
    if (reasons.length === 0 || state.isRetry) return yield* conclude(state, finish, mismatch)
    const names = state.wrong.map(({ call }) => call.name.slice(0, 64)).join(', ')
    setup.log(`asking the model again: ${names ? `invalid call of ${names}` : "the answer doesn't match the schema"}`)
    messages = [...messages, ...withoutCalls(finish.message), { role: 'user', content: reasons.join(' ') }]
    state.isRetry = true
    state.wrong = []
    state.heldText = ''
  }
}

async function* oneReply(
  state: ReplyState,
  messages: readonly ModelMessage[],
): AsyncGenerator<ClientReplyEvent, ReplyFinish | undefined, void> {
  const { model, setup } = state
  for await (const event of askModel(model, { ...setup.request, messages })) {
    switch (event.type) {
      case 'text-delta':
        if (setup.answerSchema !== undefined || state.isRetry) state.heldText += event.text
        else {
          state.sentText += event.text
          yield event
        }
        break
      case 'reasoning-delta':
        yield event
        break
      case 'reasoning-signed':
        if (setup.signReasoning)
          yield { type: 'reasoning-signature', signed: setup.signReasoning(event.providerOptions) }
        break
      case 'tool-input-start':
        if (canStreamCall(state, event.name)) {
          yield* releaseHeldText(state)
          state.streamedCalls.set(event.id, '')
          state.callCount++
          yield { type: 'call-start', id: event.id, name: event.name }
        }
        break
      case 'tool-input-delta':
        if (state.streamedCalls.has(event.id)) {
          state.streamedCalls.set(event.id, state.streamedCalls.get(event.id) + event.text)
          yield { type: 'call-delta', id: event.id, text: event.text }
        }
        break
      case 'tool-call':
        yield* endCall(state, event.call)
        break
      case 'notice':
        setup.log(event.text)
        break
      case 'retry':
        setup.log(`retrying the backend in ${event.waitMs} ms: ${event.failure.message}`)
        break
      case 'repair':
        setup.log('asking the model again: the reply ignored tool_choice')
        break
      case 'finish':
        addUsage(state.usage, event.usage)
        return event
      case 'failed':
        yield* releaseHeldText(state)
        yield incompleteOrFailed(event.failure, state.usage)
        return undefined
      default:
        event satisfies never
    }
  }
  throw new Error('A reply ends with finish or failed.')
}

/** Arguments are streamed for known tools without a strict schema, one call at a time so that they never mix. */
function canStreamCall({ setup, streamedCalls, callCount, isRetry }: ReplyState, name: string): boolean {
  const tool = setup.tools.find((one) => one.name === name)
  if (tool === undefined || tool.strict === true || isRetry) return false
  return streamedCalls.size === 0 && callCount < setup.maxCalls
}

function* endCall(state: ReplyState, call: ReplyCall): Generator<ClientReplyEvent> {
  const { setup } = state
  const sent = state.streamedCalls.get(call.id)
  if (sent === undefined) {
    if (state.callCount >= setup.maxCalls || state.sentCalls.has(callKey(call))) return
    const wrong = checkCall(call, setup.tools)
    if (wrong !== undefined) state.wrong.push(wrong)
    else yield* wholeCall(state, call)
    return
  }
  state.streamedCalls.delete(call.id)
  state.sentCalls.add(callKey(call))
  // Sent text cannot be recalled: the complete arguments may only continue it.
  if (!call.argumentsText.startsWith(sent)) {
    throw new Failure('internal', 'The final arguments of a call differ from the streamed ones.')
  }
  const rest = call.argumentsText.slice(sent.length)
  if (rest !== '') yield { type: 'call-delta', id: call.id, text: rest }
  yield { type: 'call-end', id: call.id, name: call.name, argumentsText: call.argumentsText }
}

/** Sends the held text, without the part that the first reply already sent. */
function* releaseHeldText(state: ReplyState): Generator<ClientReplyEvent> {
  const sent = state.sentText.trim()
  const held = state.heldText.trim()
  const text = sent !== '' && held.startsWith(sent) ? held.slice(sent.length) : state.heldText
  state.heldText = ''
  state.sentText = ''
  if (text !== '') yield { type: 'text-delta', text }
}

function* wholeCall(state: ReplyState, call: ReplyCall): Generator<ClientReplyEvent> {
  const { id, name, argumentsText } = call
  yield* releaseHeldText(state)
  state.callCount++
  state.sentCalls.add(callKey(call))
  yield { type: 'call-start', id, name }
  if (argumentsText !== '') yield { type: 'call-delta', id, text: argumentsText }
  yield { type: 'call-end', id, name, argumentsText }
}

const callKey = ({ name, argumentsText }: ReplyCall): string => `${name}\0${argumentsText}`

function checkCall(call: ReplyCall, tools: readonly ClientTool[]): WrongCall | undefined {
  if (call.written !== undefined)
    return { call, kind: 'unreadable', reason: call.error ?? 'A tool call could not be parsed.' }
  const tool = tools.find(({ name }) => name === call.name)
  if (tool === undefined) {
    const names = tools.map(({ name }) => name).join(', ')
    const alternatives =
      names === '' ? 'There are no tools. Answer in plain text.' : `Available: ${names}. Call one of them, or answer.`
    return { call, kind: 'unknown', reason: `There is no tool named ${call.name.slice(0, 64)}. ${alternatives}` }
  }
  if (tool.strict !== true) return undefined
  const reasons = call.error ? [call.error] : schemaReasons({ jsonSchema: tool.parameters ?? {} }, call.input)
  if (reasons.length === 0) return undefined
  const reason = `The arguments of ${call.name} don't match its schema: ${reasons.slice(0, 5).join(', ')}. Repeat the call with valid arguments.`
  return { call, kind: 'mismatch', reason }
}

/** Reason why a complete answer violates its schema. Text beside a call is not an answer. */
function checkAnswer({ setup, heldText, callCount, wrong }: ReplyState, { reason }: ReplyFinish): string | undefined {
  const isComplete = reason !== 'length' && reason !== 'content-filter'
  if (setup.answerSchema === undefined || !isComplete || callCount + wrong.length > 0) return undefined
  const reasons = answerReasons(heldText, setup.answerSchema)
  if (reasons.length === 0) return undefined
  return `The answer doesn't match the schema: ${reasons.slice(0, 5).join(', ')}. Answer again with valid JSON only.`
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

function* conclude(
  state: ReplyState,
  finish: ReplyFinish,
  wrongAnswer: string | undefined,
): Generator<ClientReplyEvent> {
  const hasText = state.sentText.trim() + state.heldText.trim() !== ''
  yield* releaseHeldText(state)
  const mismatch = state.wrong.find(({ kind }) => kind === 'mismatch')?.reason ?? wrongAnswer
  for (const { call, kind } of state.wrong) {
    if (kind === 'unreadable' && call.written) {
      state.setup.log('returning an unparsable call as text')
      yield { type: 'text-delta', text: `${hasText ? '\n' : ''}${call.written}` }
    }
    if (kind !== 'unknown') continue
    state.setup.log(`returning a call of ${call.name.slice(0, 64)}, which was not offered`)
    yield* wholeCall(state, call)
  }
  if (mismatch !== undefined) {
    const { provider, modelId } = state.model
    const failure = modelFailure(
      'malformed',
      { provider, modelId },
      `${modelId} did not follow a strict schema. ${mismatch}`,
    )
    yield { type: 'failed', failure, usage: state.usage }
    return
  }
  yield { type: 'finish', reason: finishReason(finish, state.callCount), usage: state.usage }
}

function finishReason({ reason }: ReplyFinish, calls: number): FinishReason {
  if (reason === 'length' || reason === 'content-filter') return reason
  return calls > 0 ? 'tool-calls' : 'stop'
}

/** A reply that reached its token limit or was filtered before any text is incomplete, not failed. */
function incompleteOrFailed(failure: Failure, usage: StepUsage): ClientReplyEvent {
  const data = modelFailureData(failure)
  if (data?.kind === 'filtered') return { type: 'finish', reason: 'content-filter', usage }
  if (data?.ended === 'length') return { type: 'finish', reason: 'length', usage }
  return { type: 'failed', failure, usage }
}

function withoutCalls(message: ReplyFinish['message']): ModelMessage[] {
  const content = message.content.filter(({ type }) => type === 'text')
  return content.length === 0 ? [] : [{ role: 'assistant', content }]
}
