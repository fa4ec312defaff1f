import type { AgentEvent, Citation, Mode, RunEnd } from '../../core/agent/index.js'
import { Failure, failureFromData } from '../../core/errors.js'
import type { AttachedFile } from '../../core/files.js'
import type { CallResultMessage, ModelMessage } from '../../core/model/index.js'
import type { Request, Session, SessionOptions } from '../../core/session/index.js'
import { badField } from '../server/index.js'
import type { ClientReplyEvent } from './checked-reply.js'
import { modelConversation, textOfParts } from './conversation.js'
import {
  type Annotation,
  type CallOutputItem,
  type ContentPart,
  type Item,
  type MessageItem,
  nameForModel,
  newId,
  type StepItem,
} from './items.js'
import { clientTools, requestSettings } from './model-request.js'
import type { ParsedRequest } from './request/parsed-request.js'
import type { Signer } from './sign.js'
import { itemsOfResponse, type Thread } from './thread.js'

/** The agent mode for each model name of the vault. */
export const vaultModels: Readonly<Record<string, Mode | undefined>> = {
  notewright: 'agent',
  'notewright/vault-qa': 'vault-qa',
  'notewright/plan': 'plan',
  'notewright/chat': 'chat',
}

/** The vault for clients: no user is available, so calls that no rule allows are denied. */
export interface ServedVault {
  /** The folder name. */
  name: string
  openSession(options: SessionOptions): Promise<Session>
}

interface VaultReplyOptions extends VaultRequest {
  request: ParsedRequest
  mode: Mode
  vault: ServedVault
  signal: AbortSignal
  log(line: string): void
}

/** Runs one turn of the vault's agent in a new session. Errors become a `failed` event; only an abort throws. */
export async function* vaultReply(options: VaultReplyOptions): AsyncGenerator<ClientReplyEvent, void, void> {
  const { vault, sessionOptions, sessionRequest, signal, log } = options
  try {
    const session = await vault.openSession(sessionOptions)
    try {
      yield* turnEvents(options, session.ask(sessionRequest, signal))
    } finally {
      await session.close()
    }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof Failure)) log(`failed unexpectedly: ${(error as Error).stack ?? error}`)
    const failure = error instanceof Failure ? error : new Failure('internal', 'The server failed unexpectedly.')
    yield { type: 'failed', failure }
  }
}

async function* turnEvents(
  { request, vault, signal, log }: VaultReplyOptions,
  events: AsyncGenerator<AgentEvent>,
): AsyncGenerator<ClientReplyEvent, void, void> {
  const showsSteps = request.include.includes('notewright:steps')
  const activities = new Map<string, string>()
  // The text since the last tool call: citations refer to it.
  let text = ''
  for await (const event of events) {
    switch (event.type) {
      case 'text-delta':
        text += event.text
        yield event
        break
      case 'reasoning-delta':
        yield event
        break
      case 'tool-call':
        text = ''
        if (event.background) break
        activities.set(event.call.id, event.activity)
        break
      case 'tool-result': {
        const activity = activities.get(event.call.id)
        if (activity === undefined) break
        if (showsSteps) yield { type: 'step', step: stepOf(event, activity) }
        else yield { type: 'reasoning-delta', text: `${activity}: ${resultSummary(event)}\n` }
        break
      }
      case 'call-handed': {
        const { id, name, argumentsText } = event.call
        yield { type: 'call-start', id, name }
        if (argumentsText !== '') yield { type: 'call-delta', id, text: argumentsText }
        yield { type: 'call-end', id, name, argumentsText }
        break
      }
      case 'citations':
        yield { type: 'annotations', annotations: annotationsOf(event.citations, text, vault.name) }
        break
      case 'notice':
        log(event.text)
        break
      case 'run-end':
        signal.throwIfAborted()
        yield finalEvent(event)
        return
      default:
      // Other events are for screens.
    }
  }
}

type ToolResultEvent = Extract<AgentEvent, { type: 'tool-result' }>

const resultSummary = ({ result }: ToolResultEvent): string => (result.ok ? result.summary : result.text)

function stepOf(event: ToolResultEvent, activity: string): StepItem {
  const { call, result } = event
  return {
    type: 'notewright:step',
    id: newId('step'),
    status: 'completed',
    tool: result.name,
    activity,
    arguments: call.input,
    ok: result.ok,
    summary: resultSummary(event),
  }
}

function finalEvent({ reason, failure, usage, messages }: RunEnd): ClientReplyEvent {
  if (reason === 'failed' || reason === 'stopped') {
    const data = failure ?? { code: 'internal' as const, text: 'The request was interrupted.' }
    return { type: 'failed', failure: failureFromData(data), usage }
  }
  return { type: 'finish', reason: reason === 'handed-over' ? 'tool-calls' : 'stop', usage, messages }
}

/** Citations of notes as positions in the answer's text, with links that open the note in Obsidian. */
function annotationsOf(citations: readonly Citation[], text: string, vault: string): Annotation[] {
  let from = 0
  return citations.flatMap(({ path, raw, heading, lines }): Annotation[] => {
    if (path === undefined) return []
    const found = raw === '' ? -1 : text.indexOf(raw, from)
    const at = found === -1 && raw !== '' ? text.indexOf(raw) : found
    if (found !== -1) from = found + raw.length
    const [start, end] = at === -1 ? [text.length, text.length] : [at, at + raw.length]
    return [
      {
        type: 'url_citation',
        start_index: start,
        end_index: end,
        url: noteUrl(vault, path, heading),
        title: [path, heading, lines && `lines ${lines[0]}–${lines[1]}`].filter(Boolean).join(', '),
      },
    ]
  })
}

/** See https://help.obsidian.md/uri: a heading follows the file after a #. */
function noteUrl(vault: string, path: string, heading?: string): string {
  const file = heading === undefined ? path : `${path}#${heading}`
  return `obsidian://open?vault=${encodeURIComponent(vault)}&file=${encodeURIComponent(file)}`
}

interface VaultRequest {
  sessionOptions: SessionOptions
  sessionRequest: Request
}

/** The session and request for the agent: the last items are the request, all before them the history. */
export function vaultRequest(request: ParsedRequest, mode: Mode, thread: Thread, signer: Signer): VaultRequest {
  checkSupported(request, mode)
  const start = lastTurn(request.input)
  const history = [
    ...thread.earlier.flatMap(
      (reply) => reply.messages ?? modelConversation(itemsOfResponse(reply), null, signer).messages,
    ),
    ...modelConversation(request.input.slice(0, start), null, signer).messages,
  ]
  const { thinking, temperature, ...replies } = requestSettings(request)
  const { system } = modelConversation(thread.items, request.instructions, signer)
  return {
    sessionRequest: sessionRequestOf(request.input.slice(start), thread.items),
    sessionOptions: {
      mode,
      history: history.map(asPlainText),
      replies,
      ...(system && { instructions: system }),
      ...(temperature !== undefined && { temperature }),
      ...(thinking !== undefined && { thinking }),
      ...(request.toolChoice !== 'none' && request.tools.length > 0 && { clientTools: clientTools(request) }),
    },
  }
}

function checkSupported({ tools, toolChoice, maxToolCalls }: ParsedRequest, mode: Mode): void {
  if (tools.length > 0 && mode !== 'agent') {
    throw badField('tools', 'Only the model notewright accepts tools of the client.', 'unsupported_parameter')
  }
  if (toolChoice !== 'auto' && toolChoice !== 'none') {
    throw badField('tool_choice', 'The vault agent chooses its tools itself.', 'unsupported_parameter')
  }
  if (maxToolCalls !== null) {
    throw badField('max_tool_calls', 'The number of calls is a setting of the vault.', 'unsupported_parameter')
  }
}

const isOutput = (item: Item): item is CallOutputItem => item.type === 'function_call_output'
const isUser = (item: Item): item is MessageItem => item.type === 'message' && item.role === 'user'
const isInstruction = (item: Item): boolean =>
  item.type === 'message' && item.role !== 'user' && item.role !== 'assistant'

/** Index where the last turn starts: call outputs, or messages of the user. */
function lastTurn(items: readonly Item[]): number {
  // Instructions after the input, as Claude Code sends them, go into the system prompt like all others.
  let start = items.length - 1
  for (let item = items[start]; item !== undefined && isInstruction(item); item = items[start]) start--
  const last = items[start]
  if (last === undefined || !(isOutput(last) || isUser(last))) throw badField('input', 'The request has no input.')
  const belongs = isOutput(last) ? isOutput : (item: Item) => isUser(item) || isInstruction(item)
  for (let item = items[start - 1]; item !== undefined && belongs(item); item = items[start - 1]) start--
  return start
}

function sessionRequestOf(items: readonly Item[], all: readonly Item[]): Request {
  const outputs = items.filter(isOutput)
  if (outputs.length > 0) return { text: '', answers: outputs.map((output) => answerOf(output, all)) }
  const parts = items.filter(isUser).flatMap(({ content }) => content)
  const files = parts.filter((part) => part.type === 'input_image' || part.type === 'input_file').map(attachedFile)
  return { text: textOfParts(parts.filter((part) => 'text' in part)), ...(files.length > 0 && { files }) }
}

type FilePart = Extract<ContentPart, { type: 'input_image' | 'input_file' }>

/** A picture or a file of the client. The agent reads attached data only, and loads nothing from an address. */
function attachedFile(part: FilePart, at: number): AttachedFile {
  const url = part.type === 'input_image' ? part.image_url : (part.file_data ?? '')
  const data = /^data:[\w.+-]+\/[\w.+-]+;base64,/i.exec(url)
  if (data === null) {
    throw badField('input', 'The vault agent loads nothing from the web. Send the data itself.', 'unsupported_part')
  }
  const name = (part.type === 'input_file' && part.filename) || `attachment ${at + 1}`
  return { name, bytes: Buffer.from(url.slice(data[0].length), 'base64') }
}

function answerOf({ call_id, output }: CallOutputItem, items: readonly Item[]): CallResultMessage {
  const call = items.find((item) => item.type === 'function_call' && item.call_id === call_id)
  const name = call?.type === 'function_call' ? nameForModel(call) : ''
  return { id: call_id, name, text: typeof output === 'string' ? output : textOfParts(output) }
}

/** A user message of text parts as one text, as the agent stores it. */
function asPlainText(message: ModelMessage): ModelMessage {
  if (message.role !== 'user' || typeof message.content === 'string') return message
  if (message.content.some(({ type }) => type !== 'text')) return message
  return { ...message, content: message.content.map((part) => ('text' in part ? part.text : '')).join('\n') }
}
