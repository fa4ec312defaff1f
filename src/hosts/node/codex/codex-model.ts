import { withDialect } from '../../../core/dialects/index.js'
import { Failure } from '../../../core/errors.js'
import {
  type LanguageModelV3,
  type LanguageModelV3CallOptions,
  type LanguageModelV3Content,
  type LanguageModelV3GenerateResult,
  type LanguageModelV3Message,
  type LanguageModelV3StreamPart,
  type LanguageModelV3ToolResultOutput,
  modelFailure,
  profileFor,
  resultText,
} from '../../../core/model/index.js'
import type { AppServer } from './app-server.js'
import { codexContext } from './failures.js'
import type {
  DynamicTool,
  HistoryItem,
  InputContent,
  ThreadResult,
  ToolCallAnswer,
  TurnResult,
  UserInput,
} from './protocol.js'
import { type CodexTurn, openTurn, type PausedTurns } from './turn.js'

interface CodexModelSetup {
  server(): Promise<AppServer>
  parked: PausedTurns
  allowed: readonly CodexTool[]
  /** An empty folder, used as Codex's working folder. */
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

/**
 * Each request starts a turn in a new thread that contains the conversation, or resumes the turn that waits for its
 * results.
 */
function threadModel(modelId: string, setup: CodexModelSetup): LanguageModelV3 {
  const { parked, allowed } = setup

  async function doStream(given: LanguageModelV3CallOptions) {
    const turn = parked.resume(given.prompt) ?? (await begin(await setup.server(), given))
    const stream = turn.reply({
      modelId,
      tools: new Set(given.tools?.map(({ name }) => name)),
      allowed,
      oneCall: given.providerOptions?.openai?.parallelToolCalls === false,
      first: { type: 'stream-start', warnings: unsupportedWarnings(given) },
      signal: given.abortSignal,
      onWaiting: (calls) => parked.park(turn, given.prompt, calls),
    })
    return { stream }
  }

  async function begin(server: AppServer, given: LanguageModelV3CallOptions): Promise<CodexTurn> {
    const request = threadRequest(given)
    const threadId = await startThread(server, request)
    given.abortSignal?.throwIfAborted()
    const effort = given.providerOptions?.openai?.reasoningEffort
    return openTurn(server, threadId, async () => {
      const { turn } = await server.request<TurnResult>('turn/start', {
        threadId,
        // An older Codex does nothing for an empty input.
        input: request.input.length > 0 || server.callsTools ? request.input : [continueInput],
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
    doGenerate: async (given) => collectStream((await doStream(given)).stream),
  }
}

const continueInput = { type: 'text', text: 'Continue.', text_elements: [] }

/** Codex decides these itself. */
const unsupportedSettings = [
  'maxOutputTokens',
  'temperature',
  'topP',
  'topK',
  'stopSequences',
  'seed',
  'presencePenalty',
  'frequencyPenalty',
] as const

function unsupportedWarnings(given: LanguageModelV3CallOptions) {
  return unsupportedSettings
    .filter((setting) => given[setting] !== undefined)
    .map((feature) => ({ type: 'unsupported' as const, feature }))
}

async function collectStream(
  stream: ReadableStream<LanguageModelV3StreamPart>,
): Promise<LanguageModelV3GenerateResult> {
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
  throw { message: 'The reply was interrupted.' }
}

/** A request as a thread of Codex's takes it. */
interface ThreadRequest {
  /** The system messages at the start of the conversation. Codex adds them to its own instructions. */
  developerInstructions: string
  history: HistoryItem[]
  /** The new user message; empty if the conversation ends with tool results. */
  input: UserInput[]
  tools: DynamicTool[]
  outputSchema?: unknown
}

function threadRequest(given: LanguageModelV3CallOptions): ThreadRequest {
  const { prompt, responseFormat, toolChoice } = given
  const begin = prompt.findIndex(({ role }) => role !== 'system')
  const [systems, rest] = begin < 0 ? [prompt, []] : [prompt.slice(0, begin), prompt.slice(begin)]
  const last = rest.at(-1)
  const history = (last?.role === 'user' ? rest.slice(0, -1) : rest).flatMap(historyItems)
  return {
    developerInstructions: [...systems.map(({ content }) => String(content)), choiceRule(toolChoice)]
      .filter((text) => text !== '')
      .join('\n\n'),
    history,
    input: last?.role === 'user' ? last.content.map(userInput) : [],
    tools: offeredTools(given),
    ...(responseFormat?.type === 'json' && { outputSchema: responseFormat.schema ?? { type: 'object' } }),
  }
}

/** Codex has no tool choice, so only the allowed tools are offered. */
function offeredTools({ tools = [], toolChoice }: LanguageModelV3CallOptions): DynamicTool[] {
  if (toolChoice?.type === 'none') return []
  return tools
    .filter((tool) => tool.type === 'function')
    .filter(({ name }) => toolChoice?.type !== 'tool' || name === toolChoice.toolName)
    .map(({ name, description = '', inputSchema }) => ({ type: 'function', name, description, inputSchema }))
}

function choiceRule(choice: LanguageModelV3CallOptions['toolChoice']): string {
  if (choice?.type === 'required') return 'Call at least one of the tools now, before you answer.'
  return choice?.type === 'tool' ? `Call ${choice.toolName} now, before you answer.` : ''
}

function historyItems(message: LanguageModelV3Message): HistoryItem[] {
  switch (message.role) {
    case 'system':
      return [{ type: 'message', role: 'developer', content: [{ type: 'input_text', text: message.content }] }]
    case 'user':
      return [{ type: 'message', role: 'user', content: message.content.map(inputContent) }]
    case 'assistant':
      return message.content.flatMap(assistantItem)
    case 'tool':
      return message.content.flatMap((part): HistoryItem[] =>
        part.type === 'tool-result'
          ? [{ type: 'function_call_output', call_id: part.toolCallId, output: outputContent(part.output) }]
          : [],
      )
  }
}

type AssistantPart = Extract<LanguageModelV3Message, { role: 'assistant' }>['content'][number]
type UserPart = Extract<LanguageModelV3Message, { role: 'user' }>['content'][number]

/** Reasoning is not sent again: without its signature no server takes it. */
function assistantItem(part: AssistantPart): HistoryItem[] {
  if (part.type === 'text') {
    const content = [{ type: 'output_text' as const, text: part.text }]
    return part.text === '' ? [] : [{ type: 'message', role: 'assistant', content }]
  }
  if (part.type !== 'tool-call') return []
  const { toolCallId, toolName, input } = part
  const written = typeof input === 'string' ? input : JSON.stringify(input)
  return [{ type: 'function_call', call_id: toolCallId, name: toolName, arguments: written }]
}

function userInput(part: UserPart): UserInput {
  const content = inputContent(part)
  return content.type === 'input_text'
    ? { type: 'text', text: content.text, text_elements: [] }
    : { type: 'image', url: content.image_url }
}

function inputContent(part: UserPart): InputContent {
  if (part.type === 'text') return { type: 'input_text', text: part.text }
  const { data, mediaType } = part
  if (!mediaType.startsWith('image/')) {
    throw modelFailure('rejected', codexContext(''), `Codex can't read files of the type ${mediaType}, only images.`, {
      hint: 'Remove the file, or choose another model.',
    })
  }
  return { type: 'input_image', image_url: imageUrl(data, mediaType) }
}

function imageUrl(data: string | Uint8Array | URL, mediaType: string): string {
  if (data instanceof URL) return data.href
  const base64 = typeof data === 'string' ? data : Buffer.from(data).toString('base64')
  return `data:${mediaType === 'image/*' ? 'image/png' : mediaType};base64,${base64}`
}

/** A result for a call that Codex waits with. */
export function toolAnswer(output: LanguageModelV3ToolResultOutput): ToolCallAnswer {
  const content = outputContent(output)
  const items: InputContent[] = typeof content === 'string' ? [{ type: 'input_text', text: content }] : content
  return {
    contentItems: items.map((item) =>
      item.type === 'input_text'
        ? { type: 'inputText', text: item.text }
        : { type: 'inputImage', imageUrl: item.image_url },
    ),
    success: !/^error|denied$/.test(output.type),
  }
}

function outputContent(output: LanguageModelV3ToolResultOutput): string | InputContent[] {
  if (output.type !== 'content') return resultText(output)
  return output.value.map((item): InputContent => {
    if (item.type === 'text') return { type: 'input_text', text: item.text }
    const isImage = (item.type === 'file-data' || item.type === 'image-data') && /^image\//.test(item.mediaType)
    if (isImage) return { type: 'input_image', image_url: imageUrl(item.data, item.mediaType) }
    return { type: 'input_text', text: `(${item.type}: left out)` }
  })
}

/** Codex's own tools that a user can enable with `--codex-tools`. */
const codexTools = ['shell', 'web', 'image', 'agents', 'mcp'] as const

export type CodexTool = (typeof codexTools)[number]

export function readCodexTools(names: readonly string[]): CodexTool[] {
  return names.map((name) => {
    const found = codexTools.find((tool) => tool === name.trim().toLowerCase())
    if (found !== undefined) return found
    throw new Failure('invalid-input', `Codex has no built-in tool ${name.slice(0, 60)}.`, {
      hint: `Use one of: ${codexTools.join(', ')}.`,
    })
  })
}

/** The settings that disable each tool. Codex ignores names it does not know. */
const disablingSettings: Record<Exclude<CodexTool, 'mcp'>, Record<string, unknown>> = {
  shell: { 'features.shell_tool': false, 'features.unified_exec': false, include_apply_patch_tool: false },
  web: {
    web_search: 'disabled',
    'features.web_search_request': false,
    'features.browser_use': false,
    'features.computer_use': false,
  },
  image: { 'features.view_image': false, 'features.image_generation': false, 'tools.view_image': false },
  agents: {
    'agents.enabled': false,
    'features.multi_agent': false,
    'features.multi_agent_v2': false,
    'features.collab': false,
  },
}

/** Features of a coding agent that are always off: plans, questions, lessons and environment context. */
const alwaysDisabled: Record<string, unknown> = {
  'features.goals': false,
  'features.hooks': false,
  'features.memories': false,
  'features.skill_search': false,
  'features.tool_suggest': false,
  'tools.experimental_request_user_input.enabled': false,
  'tools.update_plan.enabled': false,
  'skills.include_instructions': false,
  include_permissions_instructions: false,
  include_environment_context: false,
  include_apps_instructions: false,
  project_doc_max_bytes: 0,
  'analytics.enabled': false,
  // Older versions ask the vendor for its list of models before every thread.
  'features.remote_models': false,
}

/**
 * The configuration of a thread in which only these Codex tools are enabled. `servers`: the user's MCP servers in
 * Codex, which are disabled.
 */
function threadConfig(allowed: readonly CodexTool[], servers: readonly string[]): Record<string, unknown> {
  const off = Object.entries(disablingSettings).flatMap(([tool, config]) =>
    allowed.includes(tool as CodexTool) ? [] : Object.entries(config),
  )
  const config = { ...alwaysDisabled, ...Object.fromEntries(off) }
  if (allowed.includes('mcp')) return config
  const disabled = Object.fromEntries(servers.map((name) => [name, { enabled: false }]))
  return { ...config, 'features.apps': false, 'features.plugins': false, mcp_servers: disabled }
}

/** The ability that an item of a turn uses: one that is off must not be used, whatever a version offers. */
export function abilityOf({ type, server }: { type: string; server?: string }): CodexTool | undefined {
  // A list of all servers there are, which are none.
  return type === 'mcpToolCall' && server === 'codex' ? undefined : abilities[type]
}

const abilities: Record<string, CodexTool | undefined> = {
  commandExecution: 'shell',
  fileChange: 'shell',
  webSearch: 'web',
  imageView: 'image',
  imageGeneration: 'image',
  collabAgentToolCall: 'agents',
  subAgentActivity: 'agents',
  mcpToolCall: 'mcp',
}
