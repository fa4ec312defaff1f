import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { approvalQueue, guard, ruleVocabulary } from '../../src/core/approval/index.js'
import type { ServerSetting } from '../../src/core/config/index.js'
import type { ServerTool, ToolServers } from '../../src/core/mcp/index.js'
import type { ToolResult } from '../../src/core/tools/index.js'
import { builtInTools, memoryLog, registry, runTool } from '../../src/core/tools/index.js'
import { secretStore } from '../../src/hosts/node/keys.js'
import type { ServerApprovals } from '../../src/hosts/node/mcp-servers.js'
import { serverApprovals, serverProgram, startServers, storedHeaders } from '../../src/hosts/node/mcp-servers.js'
import { testContext } from '../tools/call-tool.js'

export const oddProgram = resolve('test/mcp/odd-server.mjs')

/** A server as a program that behaves as its first word says. */
export const odd = (...args: string[]): ServerSetting => ({ command: process.execPath, args: [oddProgram, ...args] })

/** As if the user had approved the commands of these entries of the settings. */
export async function approveServers(known: ServerApprovals, servers: Record<string, ServerSetting>): Promise<void> {
  for (const [name, setting] of Object.entries(servers)) {
    const program = serverProgram({ name, from: 'settings', setting })
    if (program !== undefined) await known.programs.approve(program)
  }
}

export const echo: ServerTool = {
  name: 'echo',
  description: 'Says what it was told.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
}

export interface OddStart {
  environment?: Record<string, string | undefined>
  /** Unless told, the tool `echo` of each. */
  enabled?: string[]
  /** The tools of each that the user has looked at. */
  seen?: ServerTool[]
  /** False: the user has not approved the commands of these servers. */
  approved?: boolean
}

/** A home and a vault for servers. Everything that was started is gone after `remove`. */
export async function serverStage() {
  const home = await mkdtemp(join(tmpdir(), 'notewright-mcp-'))
  const root = await mkdtemp(join(tmpdir(), 'notewright-vault-'))
  const started: ToolServers[] = []
  const headers = storedHeaders(secretStore({ environment: { NOTEWRIGHT_HOME: home }, state: home }))
  const known = serverApprovals(home)

  async function start(mcpServers: Record<string, ServerSetting>, options: OddStart = {}) {
    const names = Object.keys(mcpServers)
    const { environment = process.env, enabled = names.map((name) => `${name}/echo`), seen = [echo] } = options
    const all = registry(builtInTools)
    for (const name of names) await known.seen.add(name, seen)
    if (options.approved !== false) await approveServers(known, mcpServers)
    const troubles: string[] = []
    const desk = approvalQueue({ askPerson: async () => ({ verdict: 'allow' }) })
    const servers = await startServers({
      settings: { mcpServers, tools: { enabled } },
      root,
      registry: all,
      known,
      approvalQueue: desk,
      environment,
      headers,
      onTrouble: (text) => troubles.push(text),
    })
    started.push(servers)
    const context = await testContext({})
    const log = memoryLog()
    const call = (name: string): Promise<ToolResult> => {
      const rules = guard({ level: 'ask', rules: [], vocabulary: () => ruleVocabulary(all), approvals: desk })
      const setup = { registry: all, context, apply: context.apply, log, guard: rules }
      return runTool({ id: '1', name, input: { text: 'hello' } }, setup)
    }
    return { all, call, servers, troubles, log }
  }

  return {
    home,
    root,
    known,
    headers,
    start,
    async remove() {
      await Promise.all(started.map((servers) => servers.close()))
      for (const folder of [home, root]) await rm(folder, { recursive: true, force: true })
    },
  }
}

export type ServerStage = Awaited<ReturnType<typeof serverStage>>

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
