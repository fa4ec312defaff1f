import {
  type AgentApp,
  type AgentContext,
  agent,
  type ClientCapabilities,
  methods,
  type PromptResponse,
  RequestError,
  type SessionConfigOption,
  type SessionModeState,
  type SessionUpdate,
  type StopReason,
} from '@agentclientprotocol/sdk'
import { type AgentEvent, type Mode, modes } from '../../core/agent/index.js'
import { levelChoices } from '../../core/approval/index.js'
import { Failure } from '../../core/errors.js'
import { type OpenedVault, type Session, type SessionOptions, shownBranch } from '../../core/session/index.js'
import { askInEditor } from './permission.js'
import { readPrompt } from './prompt.js'
import { sessionUpdates, textBlock, type UpdateContext } from './updates.js'

/** Everything the agent of one editor needs. */
export interface AcpSetup {
  version: string
  /** Opens the vault for a folder that is open in the editor; without a folder, the one where the program was started. */
  openVault(folder?: string): Promise<{ vault: OpenedVault; root: string }>
  /** Options of every session. */
  session: Pick<SessionOptions, 'model' | 'consent' | 'allow' | 'deny'>
  /** Models to choose from. No server is queried. */
  models(): Promise<string[]>
  onTrouble(text: string): void
}

/** A session that the editor has open. */
interface OpenSession {
  session: Session
  vault: OpenedVault
  context: UpdateContext
  /** The model names that are offered. */
  models: readonly string[]
  /** Set while a prompt is answered. */
  running?: AbortController
}

const sessionsPerPage = 50

/** Notewright as an agent of the Agent Client Protocol. All it does is translate between the protocol and sessions. */
export function acpAgent(setup: AcpSetup): { app: AgentApp; close(): Promise<void> } {
  const open = new Map<string, OpenSession>()
  let capabilities: ClientCapabilities = {}

  function found(id: string): OpenSession {
    const known = open.get(id)
    if (known === undefined) throw new Failure('not-found', `Chat not found: ${id}`, { hint: 'Load it, or start one.' })
    return known
  }

  async function openSession(client: AgentContext, folder: string, id?: string): Promise<OpenSession> {
    const { vault, root } = await setup.openVault(folder)
    if (id !== undefined) {
      if ((await vault.sessions.find(id)) === undefined) {
        throw new Failure('not-found', `Chat not found: ${id}`, { hint: 'Start a new chat.' })
      }
      await close(id)
    }
    const context: UpdateContext = { root, toolNamed: (name) => vault.registry.find(name)?.tool }
    const session: Session = await vault.openSession({
      ...setup.session,
      ...(id !== undefined && { id }),
      askPerson: askInEditor(context, (request, signal) =>
        client.request(
          methods.client.session.requestPermission,
          { ...request, sessionId: session.id },
          { cancellationSignal: signal, stopWaitingOnCancel: true },
        ),
      ),
      onTrouble: setup.onTrouble,
    })
    const opened: OpenSession = { session, vault, context, models: await setup.models() }
    open.set(session.id, opened)
    return opened
  }

  async function close(id: string): Promise<void> {
    const known = open.get(id)
    open.delete(id)
    known?.running?.abort(new Error('The chat was closed.'))
    await known?.session.close()
  }

  const update = (client: AgentContext, sessionId: string, sent: SessionUpdate) =>
    client.notify(methods.client.session.update, { sessionId, update: sent })

  /** Prompt files as slash commands, sent once the editor knows the session. */
  function offerCommands(client: AgentContext, { session }: OpenSession): void {
    const send = async () => {
      const availableCommands = (await session.prompts()).map(({ name, description }) => ({
        name,
        description: description ?? '',
        input: { hint: 'text for the prompt' },
      }))
      await update(client, session.id, { sessionUpdate: 'available_commands_update', availableCommands })
    }
    setTimeout(() => send().catch((error) => setup.onTrouble((error as Error).message)), 0)
  }

  /** The editor starts none of its own servers through us: programs are started only as the user's settings say. */
  async function refuseServers(client: AgentContext, sessionId: string, servers: readonly { name: string }[] = []) {
    if (servers.length === 0) return
    const names = servers.map(({ name }) => name).join(', ')
    const title = `MCP servers of the editor are not used: ${names}.`
    const description = 'Add them to Notewright: notewright mcp-servers add'
    setup.onTrouble(`${title} ${description}`)
    if (!capabilities.session?.notices) return
    await update(client, sessionId, { sessionUpdate: 'notice', severity: 'info', title, description })
  }

  async function prompt(
    client: AgentContext,
    opened: OpenSession,
    blocks: Parameters<typeof readPrompt>[0],
    stop: AbortController,
  ) {
    const { session, context } = opened
    const { fs } = capabilities
    const readInEditor = async (path: string) =>
      (await client.request(methods.client.fs.readTextFile, { sessionId: session.id, path })).content
    const request = await readPrompt(blocks, context.root, fs?.readTextFile ? readInEditor : undefined)
    const translate = sessionUpdates(context)
    let end: Extract<AgentEvent, { type: 'run-end' }> | undefined
    let tokens: number | undefined
    for await (const event of session.ask(request, stop.signal)) {
      if (event.type === 'run-end') end = event
      if (event.type === 'step-end' && event.usage.input !== undefined) {
        tokens = event.usage.input + (event.usage.output ?? 0)
      }
      for (const sent of translate(event)) await update(client, session.id, sent)
    }
    await afterTurn(client, opened, tokens)
    if (end?.reason === 'failed' && end.failure !== undefined) throw await session.explain(end.failure, stop.signal)
    return stopReason(end)
  }

  /** Title, context and cost, as far as they are known. */
  async function afterTurn(client: AgentContext, { session, vault }: OpenSession, tokens: number | undefined) {
    const stored = await vault.sessions.find(session.id).catch(() => undefined)
    if (stored !== undefined && stored.title !== '') {
      const { title, updatedAt } = stored
      await update(client, session.id, { sessionUpdate: 'session_info_update', title, updatedAt })
    }
    const { window } = await session.model()
    const size = (await window?.().catch(() => undefined))?.tokens
    if (tokens === undefined || size === undefined) return
    const cost = stored?.cost
    await update(client, session.id, {
      sessionUpdate: 'usage_update',
      used: tokens,
      size,
      ...(cost != null && { cost: { amount: cost, currency: 'USD' } }),
    })
  }

  const { agent: requests } = methods
  const app = agent({ name: 'notewright' })
    .onRequest(requests.initialize, ({ params }) => {
      capabilities = params.clientCapabilities ?? {}
      return {
        protocolVersion: 1,
        agentInfo: { name: 'notewright', title: 'Notewright', version: setup.version },
        authMethods: [],
        agentCapabilities: {
          loadSession: true,
          promptCapabilities: { image: true, embeddedContext: true },
          sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
        },
      }
    })
    .onRequest(requests.session.new, ({ params, client }) =>
      answer(async () => {
        const opened = await openSession(client, params.cwd)
        await refuseServers(client, opened.session.id, params.mcpServers)
        offerCommands(client, opened)
        return { sessionId: opened.session.id, ...choicesOf(opened) }
      }),
    )
    .onRequest(requests.session.load, ({ params, client }) =>
      answer(async () => {
        const opened = await openSession(client, params.cwd, params.sessionId)
        const translate = sessionUpdates(opened.context)
        for (const { event } of shownBranch(await opened.vault.sessions.read(params.sessionId))) {
          if (event.type === 'run-start' && !event.continues) {
            const content = textBlock(event.text)
            await update(client, params.sessionId, { sessionUpdate: 'user_message_chunk', content })
          }
          for (const sent of translate(event)) await update(client, params.sessionId, sent)
        }
        await refuseServers(client, params.sessionId, params.mcpServers)
        offerCommands(client, opened)
        return choicesOf(opened)
      }),
    )
    .onRequest(requests.session.resume, ({ params, client }) =>
      answer(async () => {
        const opened = await openSession(client, params.cwd, params.sessionId)
        await refuseServers(client, params.sessionId, params.mcpServers)
        offerCommands(client, opened)
        return choicesOf(opened)
      }),
    )
    .onRequest(requests.session.list, ({ params }) =>
      answer(async () => {
        const { vault, root } = await setup.openVault(params.cwd ?? undefined)
        const all = await vault.sessions.list()
        const first = params.cursor ? all.findIndex(({ id }) => id === params.cursor) + 1 : 0
        const page = all.slice(first, first + sessionsPerPage)
        const sessions = page.map(({ id, title, updatedAt }) => ({ sessionId: id, cwd: root, title, updatedAt }))
        return { sessions, ...(first + page.length < all.length && { nextCursor: page.at(-1)?.id ?? null }) }
      }),
    )
    .onRequest(requests.session.close, ({ params }) =>
      answer(async () => {
        found(params.sessionId)
        await close(params.sessionId)
        return {}
      }),
    )
    .onRequest(requests.session.delete, ({ params }) =>
      answer(async () => {
        const { vault } = open.get(params.sessionId) ?? (await setup.openVault())
        await close(params.sessionId)
        await vault.sessions.remove(params.sessionId)
        return {}
      }),
    )
    .onRequest(requests.session.setMode, ({ params }) =>
      answer(async () => {
        found(params.sessionId).session.mode = chosen(params.modeId, modes, 'mode')
        return {}
      }),
    )
    .onRequest(requests.session.setConfigOption, ({ params }) =>
      answer(async () => {
        const opened = found(params.sessionId)
        await changeOption(opened.session, params.configId, String(params.value))
        return { configOptions: configOptions(opened) }
      }),
    )
    .onRequest(requests.session.prompt, ({ params, client, signal }) =>
      answer(async (): Promise<PromptResponse> => {
        const opened = found(params.sessionId)
        if (opened.running !== undefined) {
          throw new Failure('conflict', 'This chat is still answering.', { hint: 'Stop it first, or wait.' })
        }
        const stop = new AbortController()
        const abort = () => stop.abort(new Error('The user stopped it.'))
        opened.running = stop
        signal.addEventListener('abort', abort, { once: true })
        try {
          return { stopReason: await prompt(client, opened, params.prompt, stop) }
        } catch (error) {
          if (stop.signal.aborted) return { stopReason: 'cancelled' }
          throw error
        } finally {
          signal.removeEventListener('abort', abort)
          delete opened.running
        }
      }),
    )
    .onNotification(requests.session.cancel, ({ params }) => {
      open.get(params.sessionId)?.running?.abort(new Error('The user stopped it.'))
    })

  return {
    app,
    async close() {
      await Promise.allSettled([...open.keys()].map(close))
    },
  }
}

function stopReason(end: Extract<AgentEvent, { type: 'run-end' }> | undefined): StopReason {
  switch (end?.reason) {
    case 'step-limit':
      return 'max_turn_requests'
    case 'stopped':
    case undefined:
      return 'cancelled'
    default:
      return 'end_turn'
  }
}

/** Failures become errors of the protocol, with their advice. */
async function answer<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const { code, message, details } = error
    const text = [message, details.hint].filter(Boolean).join(' ')
    throw new RequestError(errorCodes[code] ?? -32603, text, { code })
  }
}

const errorCodes: Partial<Record<Failure['code'], number>> = {
  'invalid-input': -32602,
  path: -32602,
  ambiguous: -32602,
  'not-found': -32002,
}

const modeNames: Record<Mode, { name: string; description: string }> = {
  agent: { name: 'Agent', description: 'Searches, reads and changes notes in steps' },
  'vault-qa': { name: 'Answer from notes', description: 'Finds passages first, then answers from them' },
  plan: { name: 'Plan first', description: 'Plans its calls once, then answers' },
  chat: { name: 'Chat', description: 'Answers without your notes' },
}

function choicesOf(opened: OpenSession): { modes: SessionModeState; configOptions: SessionConfigOption[] } {
  return {
    modes: {
      currentModeId: opened.session.mode,
      availableModes: modes.map((id) => ({ id, ...modeNames[id] })),
    },
    configOptions: configOptions(opened),
  }
}

function configOptions({ session, models }: OpenSession): SessionConfigOption[] {
  const { model } = session.state()
  return [
    {
      type: 'select',
      id: 'model',
      name: 'Model',
      category: 'model',
      currentValue: model,
      options: [...new Set([model, ...models])].map((name) => ({ value: name, name })),
    },
    {
      type: 'select',
      id: 'mode',
      name: 'Mode',
      category: 'mode',
      currentValue: session.mode,
      options: modes.map((value) => ({ value, ...modeNames[value] })),
    },
    {
      type: 'select',
      id: 'approvals',
      name: 'Approvals',
      description: 'What happens without asking you',
      currentValue: session.guard.level,
      options: levelChoices.map(({ level, label, about }) => ({ value: level, name: label, description: about })),
    },
  ]
}

async function changeOption(session: Session, id: string, value: string): Promise<void> {
  switch (id) {
    case 'model':
      await session.changeModel(value)
      return
    case 'mode':
      session.mode = chosen(value, modes, 'mode')
      return
    case 'approvals':
      session.guard.level = chosen(
        value,
        levelChoices.map(({ level }) => level),
        'approval level',
      )
      return
    default:
      throw new Failure('invalid-input', `Unknown option: ${id}`, { hint: 'Use one of: model, mode, approvals.' })
  }
}

function chosen<Choice extends string>(value: string, choices: readonly Choice[], what: string): Choice {
  const known = choices.find((choice) => choice === value)
  if (known !== undefined) return known
  throw new Failure('invalid-input', `Unknown ${what}: ${value}`, { hint: `Use one of: ${choices.join(', ')}.` })
}
