import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { ChangeSet } from '../../../src/core/vault/index.js'
import { allFiles, newGround } from '../torture.js'
import type { Answer, Question } from './disk-process.js'
import type { Texts } from './planned-set.js'
import type { Outcome, Process, World } from './world.js'

/** A real folder, and real processes that are really killed. What was written stays written: the power is never cut. */
export function diskWorld(files: Texts): World {
  const { base, root, stateDir } = newGround()
  let aheadMs = 0
  let child: ChildProcess | undefined

  const put = (path: string, text: string | Uint8Array) => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  for (const [path, text] of files) put(join(root, path), text)
  mkdirSync(stateDir, { recursive: true })

  return {
    vault: () => new Map([...allFiles(root)].map(([path, bytes]) => [path, bytes.toString()])),
    save: (path, text) => put(join(root, path), text),
    replace(path, text) {
      put(join(base, 'another'), text)
      mkdirSync(dirname(join(root, path)), { recursive: true })
      renameSync(join(base, 'another'), join(root, path))
    },
    erase: (path) => rmSync(join(root, path)),
    rename: (path, to) => renameSync(join(root, path), join(root, to)),
    state: () => allFiles(stateDir),
    damage: (path, bytes) => put(join(stateDir, path), bytes),
    setClock(ms) {
      aheadMs = ms
    },
    cutPower: () => void child?.kill('SIGKILL'),
    async start({ faults, seed }) {
      await end(child)
      child = spawn(process.execPath, [process.argv[1], 'child', 'sequence', root, stateDir], {
        stdio: ['pipe', 'pipe', 'inherit'],
      })
      const ask = conversation(child)
      const opened = await ask({ open: { faults, seed, aheadMs } })
      if (opened === undefined || !('opened' in opened)) return { faultsMet: 1 }
      const { isOpen, faultsMet } = opened.opened
      return isOpen ? { process: diskProcess(child, ask), faultsMet } : { faultsMet }
    },
    close() {
      child?.kill('SIGKILL')
      rmSync(base, { recursive: true, force: true })
    },
  }
}

type Ask = (question: Question, onPlanned?: (set: ChangeSet) => void) => Promise<Answer | undefined>

function diskProcess(child: ChildProcess, ask: Ask): Process {
  return {
    isAlive: () => child.exitCode === null && child.signalCode === null,
    async perform(task, { faults, seed }, onPlanned) {
      const answer = await ask({ perform: { task, faults, seed } }, onPlanned)
      const killed: Outcome = { result: 'killed', faultsMet: 1 }
      return answer !== undefined && 'outcome' in answer ? answer.outcome : killed
    },
    async claims() {
      const answer = await ask({ claims: true })
      if (answer === undefined || !('claims' in answer)) throw new Error('the process is gone')
      return answer.claims
    },
    async skipped() {
      const answer = await ask({ skipped: true })
      return answer !== undefined && 'skipped' in answer ? answer.skipped : []
    },
    async compareIndex(pick) {
      const answer = await ask({ compareIndex: { pick } })
      return answer !== undefined && 'differences' in answer ? answer.differences : ['the process is gone']
    },
  }
}

/** Questions to a process and its answers, line by line; undefined when it is killed before it answers. */
function conversation(child: ChildProcess): Ask {
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]()
  // It may be dead already.
  child.stdin!.on('error', () => undefined)
  return async (question, onPlanned) => {
    child.stdin!.write(`${toLine(question)}\n`)
    for (;;) {
      const { value, done } = await lines.next()
      if (done) {
        await end(child)
        return undefined
      }
      const answer: Answer = fromLine(value)
      if (!('planned' in answer)) return answer
      onPlanned?.(answer.planned)
    }
  }
}

/** JSON knows neither bytes nor maps. */
export function toLine(value: unknown): string {
  return JSON.stringify(value, function (this: Record<string, unknown>, key: string, each: unknown) {
    // A Buffer has turned itself into something else before we are asked.
    const bytes = this[key]
    if (bytes instanceof Uint8Array) return { bytes: Buffer.from(bytes).toString('base64') }
    if (each instanceof Map) return { entries: [...each] }
    return each instanceof Set ? { members: [...each] } : each
  })
}

export function fromLine<T>(line: string): T {
  return JSON.parse(line, (_, each) => {
    if (Array.isArray(each?.entries)) return new Map(each.entries)
    if (Array.isArray(each?.members)) return new Set(each.members)
    return typeof each?.bytes === 'string' ? new Uint8Array(Buffer.from(each.bytes, 'base64')) : each
  })
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await new Promise((resolve) => child.once('exit', resolve))
}
