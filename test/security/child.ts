import { readFileSync, statSync } from 'node:fs'
import { editFrontmatter, parseNote } from '../../src/core/markdown/index.js'
import { runTool } from '../../src/core/tools/index.js'
import { type Change, type ChangeSet, changeSet, notePath } from '../../src/core/vault/index.js'
import { folderVault } from '../../src/hosts/node/folder-vault/folder-vault.js'
import { openFolderNotebook } from '../../src/hosts/node/open-notebook.js'
import { withCpuTime } from '../runner/cpu-time.js'
import { sessionOn } from '../session/session-on.js'
import { appendLogged } from '../torture/logged-appends.js'
import { placeOf } from './place-of.js'

/** A job for another process. Bundled and started by `startChild`. */
export type Job =
  /** Says `ready`, waits for a line on standard input, applies the change set in the file. */
  | { do: 'apply'; vault: string; stateDir: string; file: string }
  /** Appends each line by itself, in parallel; answers which were acknowledged and which refused, with the hint. */
  | { do: 'append'; vault: string; stateDir: string; path: string; lines: string[] }
  /** Says `ready`, then appends lines to a note, each logged before and after. */
  | { do: 'log-calls'; vault: string; stateDir: string; name: string; times: number }
  /** Indexes a small vault first, then takes in the note and reads it in every way. */
  | { do: 'take-in'; vault: string; home: string; path: string; updates: string; query: string }
  /** Indexes everything there is, then reads and searches. */
  | { do: 'index-all'; vault: string; home: string; read: string[]; query: string }
  /** Indexes everything there is, then calls tools one after the other, with nobody to ask and nothing to ask for. */
  | { do: 'call-tools'; vault: string; home: string; calls: { name: string; input: unknown }[] }

export interface Refusal {
  code?: string
  message: string
  hint?: string
}

export interface AppendAnswer {
  acknowledged: string[]
  refused: (Refusal & { line: string })[]
}

export interface TakeInAnswer {
  /** Processor time. */
  ms: { index: number; metadata: number; serialise: number; update: number }
  /** Growth of the process from the small vault to the end. */
  growth: number
  properties: Record<string, unknown> | null
  errors: string[]
  edited: string | Refusal
  found: string[]
  polluted: boolean
}

export interface IndexAllAnswer {
  notes: number
  skipped: { path: string; reason: string }[]
  indexMs: number
  listed: number
  whole: Record<string, Refusal | { size: number; ms: number }>
  parts: Record<string, { from: number; size: number; length: number; ms: number }>
  found: string[]
  searchMs: number
  peak: number
}

export interface CallToolsAnswer {
  results: { ok: boolean; code?: string; text: string; length: number; ms: number }[]
  growth: number
  peak: number
  polluted: boolean
}

const job = JSON.parse(process.argv[2]) as Job

if (job.do === 'apply') await applyFile(job)
else if (job.do === 'append') say(await appendAll(job))
else if (job.do === 'log-calls') {
  await appendLogged(job.vault, job.stateDir, job.name, job.times)
  say('done')
} else if (job.do === 'take-in') say(await takeIn(job))
else if (job.do === 'call-tools') say(await callTools(job))
else say(await indexAll(job))

function say(answer: unknown): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}

async function applyFile({ vault: root, stateDir, file }: Job & { do: 'apply' }): Promise<void> {
  const vault = await folderVault({ root, stateDir })
  const set = reviveChangeSet(readFileSync(file, 'utf8'))
  say('ready')
  await new Promise((resume) => process.stdin.once('data', resume))
  await vault.apply(set)
  say('applied')
  process.exit(0)
}

/** Change sets travel as JSON with their bytes in base64. */
function reviveChangeSet(json: string): ChangeSet {
  return JSON.parse(json, (key, value) => (key === 'after' ? Buffer.from(value, 'base64') : value)) as ChangeSet
}

async function appendAll({ vault: root, stateDir, path, lines }: Job & { do: 'append' }): Promise<AppendAnswer> {
  const vault = await folderVault({ root, stateDir })
  const answer: AppendAnswer = { acknowledged: [], refused: [] }
  const appends = lines.map(async (line) => {
    const added = Buffer.from(`${line}\n`)
    try {
      await vault.apply(changeSet('Append', [{ kind: 'append', path: notePath(path), added }]))
      answer.acknowledged.push(line)
    } catch (error) {
      answer.refused.push({ line, ...refusalOf(error) })
    }
  })
  await Promise.all(appends)
  return answer
}

async function takeIn(task: Job & { do: 'take-in' }): Promise<TakeInAnswer> {
  const notebook = await openFolderNotebook(placeOf(task.vault, task.home))
  await notebook.update()
  const before = process.memoryUsage.rss()
  const text = readFileSync(0, 'utf8')
  const create: Change = { kind: 'create', path: notePath(task.path), after: Buffer.from(text) }
  const index = await withCpuTime(() => notebook.apply(changeSet('Take in', [create])))
  const metadata = await withCpuTime(async () => {
    const note = await notebook.vault.read(notePath(task.path))
    return parseNote(task.path, note!.text)
  })
  const { properties, frontmatter } = metadata.answer
  const serialise = await withCpuTime(() => JSON.stringify(properties))
  const update = await withCpuTime(() => {
    try {
      return editFrontmatter(text, { set: JSON.parse(task.updates) as Record<string, unknown> })
    } catch (error) {
      return refusalOf(error)
    }
  })
  const { hits } = await notebook.index.search({ query: task.query })
  const answer = {
    ms: { index: index.ms, metadata: metadata.ms, serialise: serialise.ms, update: update.ms },
    growth: process.memoryUsage.rss() - before,
    properties,
    errors: frontmatter?.errors ?? [],
    edited: update.answer,
    found: hits.map(({ path }) => path),
    polluted: 'polluted' in {},
  }
  await notebook.close()
  return answer
}

async function indexAll(task: Job & { do: 'index-all' }): Promise<IndexAllAnswer> {
  const notebook = await openFolderNotebook(placeOf(task.vault, task.home))
  const { answer: report, ms: indexMs } = await withCpuTime(() => notebook.update())
  const listed = (await notebook.vault.files()).length
  const whole: IndexAllAnswer['whole'] = {}
  const parts: IndexAllAnswer['parts'] = {}
  for (const path of task.read) {
    const { ms, answer } = await withCpuTime(() => notebook.vault.read(notePath(path)).catch(refusalOf))
    whole[path] = answer !== undefined && 'message' in answer ? answer : { size: answer!.size, ms }
    const { size } = statSync(`${task.vault}/${path}`)
    const part = await withCpuTime(() => notebook.vault.readPart(notePath(path), { from: size - 5000, bytes: 2000 }))
    parts[path] = { ...part.answer!, length: part.answer!.bytes.length, ms: part.ms }
    delete (parts[path] as { bytes?: unknown }).bytes
  }
  const search = await withCpuTime(() => notebook.index.search({ query: task.query }))
  await notebook.close()
  return {
    notes: report.notes,
    skipped: report.skipped,
    indexMs,
    listed,
    whole,
    parts,
    found: search.answer.hits.map(({ path }) => path),
    searchMs: search.ms,
    peak: process.resourceUsage().maxRSS * 1024,
  }
}

async function callTools({ vault, home, calls }: Job & { do: 'call-tools' }): Promise<CallToolsAnswer> {
  const notebook = await openFolderNotebook(placeOf(vault, home))
  await notebook.update({ vectors: false })
  const { setup } = await sessionOn(notebook, { home, id: 'child', consent: 'auto' })
  const before = process.memoryUsage.rss()
  const results: CallToolsAnswer['results'] = []
  for (const [at, call] of calls.entries()) {
    const { answer, ms } = await withCpuTime(() => runTool({ id: `${at}`, ...call }, setup))
    const { ok, text } = answer
    results.push({ ok, text: text.slice(0, 5000), length: text.length, ms, ...(!answer.ok && { code: answer.code }) })
  }
  await notebook.close()
  return {
    results,
    growth: process.memoryUsage.rss() - before,
    peak: process.resourceUsage().maxRSS * 1024,
    polluted: 'polluted' in {},
  }
}

function refusalOf(error: unknown): Refusal {
  const { code, message, details } = error as Refusal & { details?: { hint?: string } }
  return { code, message, hint: details?.hint }
}
