import { once } from 'node:events'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { Failure } from '../../../src/core/errors.js'
import { memoryStore, openVaultIndex } from '../../../src/core/index/index.js'
import type { ChangeSet } from '../../../src/core/vault/index.js'
import { memoryVault } from '../../../src/core/vault/index.js'
import { nodeFiles } from '../../../src/hosts/node/files/node-files.js'
import { folderVault } from '../../../src/hosts/node/folder-vault/folder-vault.js'
import type { Fault } from '../../doubles/faulty-files.js'
import { faultyFiles } from '../../doubles/faulty-files.js'
import { withCpuTime } from '../../runner/cpu-time.js'
import { seedOf } from '../../runner/seed.js'
import { fastScratchFolder, isFull, patience, randomFrom } from '../floor.js'
import type { Check } from '../security-case.js'
import { changeSetFile, startChild } from '../start-child.js'

const linkers = 300
const samples = 60
const realKills = isFull ? 60 : 6

/** 500 links in 300 notes, in every form that a rename rewrites. */
function startFiles(): Record<string, string> {
  const forms = ['[[Hub]]', '[[Hub#Part|shown]]', '![[Hub]]', '[text](Hub.md)', '[[Hub.md]]']
  const notes = Array.from({ length: linkers }, (_, at): [string, string] => {
    const links = at < 200 ? [forms[at % 5], forms[(at + 1) % 5]] : [forms[at % 5]]
    return [`notes ${at % 7}/n${at}.md`, `Before ${at}\r\n${links.join(' between ')}\nafter ${at}`]
  })
  return { 'Hub.md': '# Hub\n\n## Part\n', ...Object.fromEntries(notes) }
}

interface Stage {
  root: string
  stateDir: string
}

export function renameChecks(): Check[] {
  return [
    {
      name: 'the plan touches 500 links in 300 notes, and not a byte outside of them',
      run: async () => {
        const { start, after, impact } = await planned()
        expect(impact).toMatchObject({ notes: linkers, links: 500, files: 1 })
        const outside = (text: string) => text.replace(/(Renamed Hub|Renamed%20Hub|Hub)/g, '')
        for (const [path, text] of Object.entries(start)) {
          const moved = path === 'Hub.md' ? 'Renamed Hub.md' : path
          expect(outside(after[moved]), path).toBe(outside(text))
        }
        expect(Object.keys(after)).toHaveLength(linkers + 1)
      },
    },
    {
      name: `a crash at ${samples} of its file calls: done or undone by the next start, in 2 s of processor time times ${patience}`,
      timeoutMs: 300_000,
      run: () =>
        onStages(async (stage, { set, start, after }) => {
          const calls = await countCalls(stage(), set)
          const random = randomFrom(seedOf())
          const points = sampled(calls, samples, random)
          for (const at of points) await crashedApply(stage(), set, { at, how: 'crash' }, [start, after])
        }),
    },
    ...(['ENOSPC', 'EACCES'] as const).map((how): Check => {
      const only: Fault['only'] =
        how === 'ENOSPC' ? ['write', 'open', 'link'] : ['open', 'rename', 'link', 'remove', 'openFolder']
      return {
        name: `${how} on the k-th file, for ${samples / 2} k: refused with the reason, fully undone at once`,
        timeoutMs: 300_000,
        run: () =>
          onStages(async (stage, { set, start, after }) => {
            const calls = await countCalls(stage(), set, only)
            for (const at of sampled(calls, samples / 2, randomFrom(seedOf()))) {
              await failedApply(stage(), set, { at, how, only }, start, after)
            }
          }),
      }
    }),
    {
      name: `${realKills} processes killed after some of the files: done or undone by the next start`,
      timeoutMs: 600_000,
      run: () =>
        onStages(async (stage, { set, start, after }) => {
          const outcomes: string[] = []
          for (let at = 0; at < realKills; at++) {
            outcomes.push(await killedApply(stage(), set, at / realKills, [start, after]))
          }
          process.stdout.write(`D05: killed renames ended ${outcomes.join(', ')}\n`)
        }),
    },
  ]
}

/** The change set of the rename, planned by the index, with the vault before and after it. */
async function planned() {
  const start = startFiles()
  // A vault of Obsidian's: links by name stay links by name.
  const settings = '.obsidian/app.json'
  const vault = memoryVault({ files: { ...start, [settings]: '{}' } })
  const index = await openVaultIndex({ vault, store: memoryStore() })
  await index.readChanges()
  const { changeSet: set, impact } = await index.planMove('Hub.md', 'Renamed Hub.md')
  await vault.apply(set)
  const left = [...vault.snapshot()].filter(([path]) => path !== settings)
  const after = Object.fromEntries(left.map(([path, bytes]) => [path, Buffer.from(bytes).toString()]))
  return { start, set: set as ChangeSet, impact, after }
}

type Planned = Awaited<ReturnType<typeof planned>>

async function onStages(use: (stage: () => Stage, plan: Planned) => Promise<void>): Promise<void> {
  const base = fastScratchFolder()
  try {
    const plan = await planned()
    const original = join(base, 'original')
    for (const [path, text] of Object.entries(plan.start)) {
      mkdirSync(join(original, path, '..'), { recursive: true })
      writeFileSync(join(original, path), text)
    }
    let count = 0
    const stage = (): Stage => {
      rmSync(join(base, `${count}`), { recursive: true, force: true })
      const folder = join(base, `${++count}`)
      cpSync(original, join(folder, 'vault'), { recursive: true })
      return { root: join(folder, 'vault'), stateDir: join(folder, 'state') }
    }
    await use(stage, plan)
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

async function countCalls(stage: Stage, set: ChangeSet, only?: Fault['only']): Promise<number> {
  const files = faultyFiles(nodeFiles)
  const vault = await folderVault({ ...stage, files })
  files.fail({ at: Number.POSITIVE_INFINITY, how: 'EIO' })
  await vault.apply(set)
  return files.calls.filter(({ name }) => only === undefined || only.includes(name)).length
}

async function crashedApply(stage: Stage, set: ChangeSet, fault: Fault, allowed: Record<string, string>[]) {
  const files = faultyFiles(nodeFiles)
  const crashed = await folderVault({ ...stage, files })
  files.fail(fault)
  const outcome = await crashed.apply(set).then(
    () => 'ok',
    () => 'crashed',
  )
  expect(files.hit).toBe(true)
  await expectRepaired(stage, allowed, `crash at call ${fault.at}, ${outcome}`)
}

async function failedApply(
  stage: Stage,
  set: ChangeSet,
  fault: Fault,
  start: Record<string, string>,
  after: Record<string, string>,
): Promise<void> {
  const files = faultyFiles(nodeFiles)
  const vault = await folderVault({ ...stage, files })
  files.fail(fault)
  const outcome = await vault.apply(set).then(
    () => 'ok' as const,
    (error: unknown) => error,
  )
  const label = `${fault.how} at ${fault.at}`
  // A lock that could not be tidied away is no reason to refuse.
  if (outcome === 'ok') return expect(textsOf(stage.root), label).toEqual(after)
  expect(outcome, label).toBeInstanceOf(Failure)
  expect((outcome as Failure).message, label).toMatch(/Nothing was changed|next start/)
  if (/Nothing was changed/.test((outcome as Failure).message)) expect(textsOf(stage.root), label).toEqual(start)
  await expectRepaired(stage, [start], label)
}

async function killedApply(stage: Stage, set: ChangeSet, share: number, allowed: Record<string, string>[]) {
  const file = join(stage.root, '..', 'plan.json')
  writeFileSync(file, changeSetFile(set))
  const child = await startChild({ do: 'apply', vault: stage.root, stateDir: stage.stateDir, file })
  await once(child.stdout, 'data')
  const ended = once(child, 'exit')
  child.stdin.write('go\n')
  await changedFiles(stage.root, Math.floor(share * linkers))
  child.kill('SIGKILL')
  await ended
  return expectRepaired(stage, allowed, `killed after ${share} of the files`)
}

/** Waits until so many notes of the vault have been replaced, or their new bytes lie beside them. */
async function changedFiles(root: string, count: number): Promise<void> {
  const inodes = () => {
    const items = readdirSync(root, { recursive: true, withFileTypes: true }).filter((item) => item.isFile())
    return new Set(items.map((item) => statSync(join(item.parentPath, item.name), { throwIfNoEntry: false })?.ino))
  }
  const before = inodes()
  for (let rounds = 0; rounds < 2000; rounds++) {
    if ([...inodes()].filter((inode) => !before.has(inode)).length > count) return
    await sleep(0)
  }
}

async function expectRepaired(stage: Stage, allowed: Record<string, string>[], label: string): Promise<string> {
  const { answer: vault, ms } = await withCpuTime(() => folderVault({ ...stage, lock: { isAlive: () => false } }))
  expect(ms, label).toBeLessThan(2000 * patience)
  expect(allowed, label).toContainEqual(textsOf(stage.root))
  const [entry] = await vault.history()
  expect(['applied', 'rolled-back', undefined], label).toContain(entry?.state)
  return entry?.state ?? 'not begun'
}

function textsOf(root: string): Record<string, string> {
  const items = readdirSync(root, { recursive: true, withFileTypes: true }).filter((item) => item.isFile())
  const paths = items.map((item) => join(item.parentPath, item.name))
  return Object.fromEntries(paths.map((path) => [path.slice(root.length + 1), readFileSync(path, 'utf8')]))
}

/** Points spread over all of 1 to `count`, moved a little by chance. */
function sampled(count: number, wanted: number, random: (below: number) => number): number[] {
  const step = count / wanted
  return Array.from({ length: wanted }, (_, at) => Math.min(count, 1 + Math.floor(at * step) + random(Math.ceil(step))))
}
