import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type LoggedCall, redactor } from '../../src/core/tools/index.js'
import { changeSet, notePath } from '../../src/core/vault/index.js'
import { callLog, readLog, verifyLog } from '../../src/hosts/node/call-log.js'
import { folderVault } from '../../src/hosts/node/folder-vault/folder-vault.js'
import { vaultState } from '../../src/hosts/node/state-database.js'

const noteName = 'effects.md'

/** Appends a line to a note again and again, each logged before and after as a tool's call is. */
export async function appendLogged(root: string, stateDir: string, name: string, times: number): Promise<void> {
  const vault = await folderVault({ root, stateDir })
  // Large enough that no row is dropped.
  const log = callLog({ state: vaultState(stateDir), redact: redactor(), maxBytes: 100_000_000 })
  process.stdout.write('ready\n')
  for (let at = 0; at < times; at++) {
    const line = `${name} ${at}`
    const change = changeSet('Append', [{ kind: 'append', path: notePath(noteName), added: Buffer.from(`${line}\n`) }])
    const timestamp = new Date().toISOString()
    const intent = { timestamp, session: name, tool_name: 'append_note', arguments: { line }, change_set: change.id }
    const id = await log.intend({ ...intent, decision: 'allowed', rule: 'torture' }, { durable: true })
    await vault.apply(change)
    await log.finish(id, { result: 'appended', duration_ms: 1 })
  }
}

export interface LogFindings {
  /** Lines in the note without an intent in the log. */
  unlogged: string[]
  /** Lines whose process ended before it could log the outcome. */
  unfinished: number
  lines: number
  calls: LoggedCall[]
  problems: string[]
}

/** Compares what is in the note with what is in the log. */
export async function compareWithLog(root: string, stateDir: string): Promise<LogFindings> {
  const calls: LoggedCall[] = []
  for await (const call of readLog({ folder: stateDir })) calls.push(call)
  const intended = new Map(calls.map((call) => [(call.arguments as { line: string }).line, call]))
  const lines = linesOf(root)
  const { problems } = await verifyLog({ folder: stateDir })
  return {
    unlogged: lines.filter((line) => !intended.has(line)),
    unfinished: lines.filter((line) => intended.get(line)?.result === undefined).length,
    lines: lines.length,
    calls,
    problems: problems.map(({ row, text }) => `${row} ${text}`),
  }
}

/** Resolves at the first change that can be seen: of the log (the effect is still to come) or of the note. */
export async function firstChangeOf(what: 'log' | 'note', root: string, stateDir: string): Promise<void> {
  const look = () =>
    what === 'log' ? sizeOf(join(stateDir, 'state.db-wal')) : `${readdirSync(root)}${sizeOf(join(root, noteName))}`
  const before = look()
  for (const until = Date.now() + 5000; look() === before && Date.now() < until; ) {
    await new Promise((resolve) => setImmediate(resolve))
  }
}

function linesOf(root: string): string[] {
  try {
    return readFileSync(join(root, noteName), 'utf8').split('\n').slice(0, -1)
  } catch {
    return []
  }
}

function sizeOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false })
  return `${stat?.ino}:${stat?.size}`
}
