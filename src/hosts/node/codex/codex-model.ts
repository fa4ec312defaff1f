import { withDialect } from '../../../core/dialects/index.js'
import {
  type LanguageModelV3,
  type LanguageModelV3CallOptions,
  type LanguageModelV3Content,
  type LanguageModelV3GenerateResult,
  type LanguageModelV3StreamPart,
  profileFor,
} from '../../../core/model/index.js'
import type { AppServer } from './app-server.js'
import { type CodexTool, threadConfig } from './own-tools.js'
import type { ParkedTurns } from './parked-turns.js'
import type { ThreadResult, TurnResult } from './protocol.js'
import { type ThreadRequest, threadRequest } from './thread-request.js'
import { openTurn, type Turn } from './turn.js'

export interface CodexModelSetup {
  server(): Promise<AppServer>
  parked: ParkedTurns
  allowed: readonly CodexTool[]
  /** An empty folder: what Codex takes as the place it works in. */
  folder: string
}

/** A model of Codex's. It calls tools as this version of Codex can: by its own protocol, or in text. */
export function codexModel(modelId: string, setup: CodexModelSetup): LanguageModelV3 {
  const native = threadModel(modelId, setup)
  const inText = withDialect(native, { dialect: 'sentinel', profile: profileFor(modelId) })
  const fitting = async () => ((await setup.server()).callsTools ? native : inText)
  return {
    ...native,
    doGenerate: async (given) => (await fitting()).doGenerate(given),
    doStream: async (given) => (await fitting()).doStream(given),
  }
}

/** Each request is a turn of a fresh thread with the conversation in it, or goes on with the turn that waits for it. */
function threadModel(modelId: string, setup: CodexModelSetup): LanguageModelV3 {
  const { parked, allowed } = setup

  async function doStream(given: LanguageModelV3CallOptions) {
    const turn = parked.resume(given.prompt) ?? (await begin(await setup.server(), given))
    const stream = turn.reply({
      modelId,
      tools: new Set(given.tools?.map(({ name }) => name)),
      allowed,
      oneCall: given.providerOptions?.openai?.parallelToolCalls === false,
      first: { type: 'stream-start', warnings: unsupported(given) },
      signal: given.abortSignal,
      onWaiting: (calls) => parked.park(turn, given.prompt, calls),
    })
    return { stream }
  }

  async function begin(server: AppServer, given: LanguageModelV3CallOptions): Promise<Turn> {
    const request = threadRequest(given)
    const threadId = await startThread(server, request)
    given.abortSignal?.throwIfAborted()
    const effort = given.providerOptions?.openai?.reasoningEffort
    return openTurn(server, threadId, async () => {
      const { turn } = await server.request<TurnResult>('turn/start', {
        threadId,
        // An older Codex does nothing when it is told nothing.
        input: request.input.length > 0 || server.callsTools ? request.input : [goOn],
        ...(typeof effort === 'string' && { effort }),
        ...(request.outputSchema !== undefined && { outputSchema: request.outputSchema }),
      })
      return turn.id
    })
  }

  async function startThread(server: AppServer, request: ThreadRequest): Promise<string> {
    const { developerInstructions, history, tools } = request
    const common = {
      model: modelId === '' ? null : modelId,
      cwd: setup.folder,
      approvalPolicy: 'never',
      sandbox: 'read-only',
      config: threadConfig(allowed, server.mcpServers),
      developerInstructions: developerInstructions === '' ? null : developerInstructions,
      experimentalRawEvents: server.callsTools,
    }
    if (!server.callsTools) {
      const { thread } =
        history.length === 0
          ? await server.request<ThreadResult>('thread/start', common)
          : await server.request<ThreadResult>('thread/resume', { ...common, threadId: 'by-history', history })
      return thread.id
    }
    const needsFiles = allowed.includes('shell') || allowed.includes('image')
    const { thread } = await server.request<ThreadResult>('thread/start', {
      ...common,
      ephemeral: true,
      dynamicTools: tools,
      // Without a place to work in, nothing that touches files is offered.
      ...(!needsFiles && { environments: [] }),
    })
    if (history.length > 0) await server.request('thread/inject_items', { threadId: thread.id, items: history })
    return thread.id
  }

  return {
    specificationVersion: 'v3',
    provider: 'codex.app-server',
    modelId,
    supportedUrls: { 'image/*': [/^https?:/] },
    doStream,
    doGenerate: async (given) => inOnePiece((await doStream(given)).stream),
  }
}

const goOn = { type: 'text', text: 'Continue.', text_elements: [] }

/** Codex decides these itself. */
const notTaken = [
  'maxOutputTokens',
  'temperature',
  'topP',
  'topK',
  'stopSequences',
  'seed',
  'presencePenalty',
  'frequencyPenalty',
] as const

function unsupported(given: LanguageModelV3CallOptions) {
  return notTaken
    .filter((setting) => given[setting] !== undefined)
    .map((feature) => ({ type: 'unsupported' as const, feature }))
}

async function inOnePiece(stream: ReadableStream<LanguageModelV3StreamPart>): Promise<LanguageModelV3GenerateResult> {
  const content: LanguageModelV3Content[] = []
  let warnings: LanguageModelV3GenerateResult['warnings'] = []
  for await (const part of stream as unknown as AsyncIterable<LanguageModelV3StreamPart>) {
    const last = content.at(-1)
    if (part.type === 'error') throw part.error
    if (part.type === 'stream-start') warnings = part.warnings
    else if (part.type === 'text-start') content.push({ type: 'text', text: '' })
    else if (part.type === 'reasoning-start') content.push({ type: 'reasoning', text: '' })
    else if (part.type === 'text-delta' && last?.type === 'text') last.text += part.delta
    else if (part.type === 'reasoning-delta' && last?.type === 'reasoning') last.text += part.delta
    else if (part.type === 'tool-call') content.push(part)
    else if (part.type === 'finish') {
      return { content, finishReason: part.finishReason, usage: part.usage, warnings }
    }
  }
  throw { message: 'The reply has no end.' }
}
