import type { Failure } from '../../../core/errors.js'
import { modelFailure } from '../../../core/model/index.js'
import { version as ourVersion } from '../version.js'
import { codexContext } from './codex-context.js'
import { type CodexProcess, type Launch, startProcess } from './codex-process.js'
import { declined } from './decline.js'
import type { ConfigResult, InitializeResult, RequestId, ServerMessage } from './protocol.js'
import { type RpcPeer, rpcPeer } from './rpc-peer.js'
import { callsTools } from './version.js'

/** What a listener hears: messages about its thread, and at the end why there will be no more. */
export type ThreadEvent = ServerMessage | { closed: Failure }

/** One running `codex app-server`. */
export interface AppServer {
  readonly version: string
  /** Whether it calls tools of ours itself. Before, calls are written as text. */
  readonly callsTools: boolean
  /** The MCP servers of the person's Codex, by name. */
  readonly mcpServers: readonly string[]
  request<Result>(method: string, params: unknown): Promise<Result>
  /** A request that nobody waits for: our process may end before it is answered. */
  requestInPassing(method: string, params: unknown): Promise<void>
  /** Answers a request of Codex's. */
  answer(id: RequestId, result: unknown): void
  listen(threadId: string, on: (event: ThreadEvent) => void): () => void
  /** Until it is let go, our own process waits for it. */
  hold(): () => void
  readonly ended: Promise<void>
}

const usualStartMs = 30_000

/** Starts Codex and shakes hands with it. */
export async function startAppServer(launch: Launch): Promise<AppServer> {
  const listeners = new Map<string, (event: ThreadEvent) => void>()
  let closed: Failure | undefined
  let tellEnd = () => {}
  const ended = new Promise<void>((resolve) => {
    tellEnd = resolve
  })

  function close(why: string): void {
    if (closed !== undefined) return
    closed = modelFailure('disconnected', codexContext(''), why, { hint: 'Ask again; Codex is started anew.' })
    peer.close(closed)
    for (const listener of [...listeners.values()]) listener({ closed })
    listeners.clear()
    tellEnd()
  }

  const child: CodexProcess = startProcess(launch, { onLine: (line) => peer.receive(line), onEnd: close })
  const peer: RpcPeer = rpcPeer({
    write: child.write,
    onMessage(message) {
      const { threadId = '' } = (message.params ?? {}) as { threadId?: string }
      const listener = listeners.get(threadId)
      if (message.id === undefined || (message.method === 'item/tool/call' && listener)) listener?.(message)
      else if (Object.hasOwn(declined, message.method)) peer.answer(message.id, declined[message.method])
      else peer.refuse(message.id, `Not answered here: ${message.method}`)
    },
  })

  async function request<Result>(method: string, params: unknown): Promise<Result> {
    const letGo = child.hold()
    return peer.request<Result>(method, params).finally(letGo)
  }

  const { startMs = usualStartMs } = launch
  const late = setTimeout(
    () => close(`Codex did not answer within ${startMs / 1000} s of its start${child.lastWords()}`),
    startMs,
  )
  try {
    const { version, mcpServers } = await shakeHands(request, peer)
    return {
      version,
      callsTools: callsTools(version),
      mcpServers,
      request,
      requestInPassing: (method, params) => peer.request(method, params),
      answer: peer.answer,
      listen(threadId, on) {
        if (closed !== undefined) on({ closed })
        else listeners.set(threadId, on)
        return () => void listeners.delete(threadId)
      },
      hold: child.hold,
      ended,
    }
  } catch (error) {
    child.kill()
    throw error
  } finally {
    clearTimeout(late)
  }
}

async function shakeHands(request: AppServer['request'], peer: RpcPeer) {
  const { userAgent } = await request<InitializeResult>('initialize', {
    clientInfo: { name: 'notewright', title: 'Notewright', version: ourVersion },
    capabilities: { experimentalApi: true, requestAttestation: false },
  })
  peer.notify('initialized')
  const { config } = await request<ConfigResult>('config/read', { includeLayers: false })
  const [, version = ''] = /^[^/]*\/(\d\S*)/.exec(userAgent) ?? []
  return { version, mcpServers: Object.keys(config.mcp_servers ?? {}) }
}
