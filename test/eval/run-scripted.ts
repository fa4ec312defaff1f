import { withDialect } from '../../src/core/dialects/index.js'
import { openModel } from '../../src/core/providers/index.js'
import type { VaultHost } from '../../src/core/session/index.js'
import { aliases } from '../../src/core/tools/index.js'
import type { Condition } from './conditions.js'
import { sloppyModel } from './model/sloppy-model.js'
import { runTask, type TaskResult } from './run-task.js'
import { type ServerKind, serverKinds } from './servers/kinds.js'
import { type Served, type ServedModel, serve } from './servers/serve.js'
import { promptTokens } from './servers/window.js'
import type { Task } from './tasks/index.js'

export interface ScriptedResult extends TaskResult {
  persona: string
  dialect: string
  window: number
  server: string
  /** About how many tokens the model had to read, over all requests. */
  tokens: number
}

/** One server of each kind, behind which any scripted model can be put. */
export interface Bench {
  run(task: Task, condition: Condition, kind: ServerKind): Promise<ScriptedResult>
  stop(): Promise<void>
}

export async function openBench(): Promise<Bench> {
  const inService = new Map<ServerKind, ServedModel>()
  const servers = new Map<ServerKind, Served>()
  for (const kind of serverKinds) servers.set(kind, await serve(kind, () => inService.get(kind)!))
  return {
    async run(task, { persona, dialect, window }, kind) {
      const isText = dialect !== 'native' && dialect !== 'auto'
      const reply = sloppyModel(persona, [...(task.before ?? []), task])
      let tokens = 0
      inService.set(kind, {
        window,
        takesTools: !isText,
        reply(prompt) {
          tokens += promptTokens(prompt)
          return reply(prompt)
        },
      })
      const result = await runTask(task, {
        model: isText ? kind.textual : kind.model,
        dialect: dialect === 'refused' ? 'auto' : dialect,
        openModel: opener(kind.environment(servers.get(kind)!.url)),
      })
      return { persona: persona.name, dialect, window, server: kind.name, tokens, ...result }
    },
    async stop() {
      for (const server of servers.values()) await server.stop()
    },
  }
}

/** Each task has its turn at each kind of server, another one with each condition. */
export function serverFor(task: number, condition: number, { dialect }: Condition): ServerKind {
  const able = serverKinds.filter(({ refusesTools }) => dialect !== 'refused' || refusesTools !== undefined)
  return able[(task + condition) % able.length]
}

function opener(environment: ReturnType<ServerKind['environment']>): VaultHost['openModel'] {
  const names = Object.fromEntries(Object.entries(aliases).map(([alias, { tool }]) => [alias, tool]))
  return async (name, dialect, ...wish) => {
    const opened = await openModel(name, { environment, fetch, ...Object.assign({}, ...wish) })
    const model = withDialect(opened.model, { dialect, profile: opened.profile, aliases: names, name: opened.name })
    return { ...opened, model }
  }
}
