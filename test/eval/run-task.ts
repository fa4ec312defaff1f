import type { AgentEvent, RunEnd } from '../../src/core/agent/index.js'
import type { AskUser } from '../../src/core/approval/index.js'
import { configSchema } from '../../src/core/config/index.js'
import { type VaultHost, vaultFromHost } from '../../src/core/session/index.js'
import { memoryHost } from '../doubles/memory-host.js'
import { judge } from './judge.js'
import type { Task } from './tasks/index.js'
import { vaults } from './vaults/index.js'

export interface TaskRun {
  /** As a user names it. */
  model: string
  dialect: string
  openModel: VaultHost['openModel']
}

export interface TaskResult {
  task: string
  /** Why it was not done; undefined when it was. */
  failure?: string
  answer: string
  replies: number
}

/** Gives a task to a model, as the program would: a session on a vault, with a user who answers as the task says. */
export async function runTask(task: Task, { model, dialect, openModel }: TaskRun): Promise<TaskResult> {
  const before = vaults[task.vault]
  const host = await memoryHost(before)
  host.openModel = openModel
  host.dailyNotes = async () => ({ folder: 'Daily', format: 'YYYY-MM-DD' })
  const asker: AskUser = async (panel) => {
    if (panel.kind === 'batch' || panel.kind === 'question') return undefined
    return task.person === 'agrees' ? { verdict: 'allow' } : { verdict: 'deny' }
  }
  const settings = configSchema.parse({})
  const vault = vaultFromHost({ host, settings, approvalOptions: task.person && { askPerson: asker } })
  try {
    const consent = task.person ? 'ask' : 'auto'
    const session = await vault.openSession({ model, dialect, consent, deny: task.deny })
    for (const { ask } of task.before ?? []) for await (const _ of session.ask(ask));
    const events: AgentEvent[] = []
    for await (const event of session.ask(task.ask)) events.push(event)
    const end = events.at(-1) as RunEnd
    const after = textsIn(host.memory.snapshot())
    return {
      task: task.name,
      failure: judge(task, { end, events, before, after }),
      answer: end.text,
      replies: end.steps,
    }
  } finally {
    await vault.close()
  }
}

function textsIn(files: ReadonlyMap<string, Uint8Array>): Record<string, string> {
  const decoder = new TextDecoder()
  return Object.fromEntries([...files].map(([path, bytes]) => [path, decoder.decode(bytes)]))
}
