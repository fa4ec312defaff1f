import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { approvalDesk, guard, ruleVocabulary } from '../../src/core/approval/index.js'
import type { ServerSetting } from '../../src/core/config/index.js'
import type { ServerTool, ToolServers } from '../../src/core/mcp/index.js'
import { builtInTools, memoryLog, registry, runTool, type ToolResult } from '../../src/core/tools/index.js'
import { testContext } from '../../src/core/tools/testing/test-context.js'
import { secretStore } from '../../src/hosts/node/keys/index.js'
import { keptHeaders, knownServers, startServers } from '../../src/hosts/node/mcp/index.js'

export const oddProgram = resolve('test/mcp/odd-server.mjs')

/** A server as a program that behaves as its first word says. */
export const odd = (...args: string[]): ServerSetting => ({ command: process.execPath, args: [oddProgram, ...args] })

export const echo: ServerTool = {
  name: 'echo',
  description: 'Says what it was told.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
}

export interface OddStart {
  environment?: Record<string, string | undefined>
  /** Unless told, the tool `echo` of each. */
  enabled?: string[]
  /** The tools of each that the person has looked at. */
  seen?: ServerTool[]
}

/** A home and a vault for servers. Everything that was started is gone after `remove`. */
export async function serverStage() {
  const home = await mkdtemp(join(tmpdir(), 'notewright-mcp-'))
  const root = await mkdtemp(join(tmpdir(), 'notewright-vault-'))
  const started: ToolServers[] = []
  const headers = keptHeaders(secretStore({ environment: { NOTEWRIGHT_HOME: home }, state: home }))
  const known = knownServers(home)

  async function start(mcpServers: Record<string, ServerSetting>, options: OddStart = {}) {
    const names = Object.keys(mcpServers)
    const { environment = process.env, enabled = names.map((name) => `${name}/echo`), seen = [echo] } = options
    const all = registry(builtInTools)
    for (const name of names) await known.seen.add(name, seen)
    const troubles: string[] = []
    const desk = approvalDesk({ asker: async () => ({ verdict: 'allow' }) })
    const servers = await startServers({
      settings: { mcpServers, tools: { enabled } },
      root,
      registry: all,
      known,
      desk,
      environment,
      headers,
      onTrouble: (text) => troubles.push(text),
    })
    started.push(servers)
    const context = await testContext({})
    const log = memoryLog()
    const call = (name: string): Promise<ToolResult> => {
      const rules = guard({ level: 'ask', rules: [], vocabulary: () => ruleVocabulary(all), desk })
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
