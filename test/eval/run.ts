// npm run eval [-- --persona fences --dialect native --window 8192 --task cite-compost --model ollama/qwen3:8b --json]
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Failure } from '../../src/core/errors.js'
import { openAgentModel } from '../../src/hosts/node/agent-model.js'
import { conditions, dialects, windows } from './conditions.js'
import { personas } from './model/personas.js'
import { openBench, type ScriptedResult, serverFor } from './run-scripted.js'
import { runTask, type TaskResult } from './run-task.js'
import { serverKinds } from './servers/kinds.js'
import { failureList, isRaw, meanTokens, serverTable, successTable } from './table.js'
import { type Task, tasks } from './tasks/index.js'

const kinds = [...new Set(tasks.map(({ kind }) => kind))]
const many = { type: 'string', multiple: true } as const
const { values: options } = parseArgs({
  options: {
    only: many,
    task: many,
    persona: many,
    dialect: many,
    window: many,
    server: many,
    model: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

const usage = `npm run eval -- [--only ${kinds.join('|')}] [--task NAME] [--persona NAME] [--dialect NAME] [--window ${windows.join('|')}]
  [--server NAME] [--json]     ${tasks.length} tasks, by scripted models that are sloppy in one way each
npm run eval -- --model ollama/qwen3:8b [--dialect NAME] [--only KIND] [--task NAME] [--json]     the same by a real model

personas: ${personas.map(({ name, about }) => `\n  ${name.padEnd(12)} ${about}`).join('')}
dialects: ${dialects.join(', ')}
servers: ${serverKinds.map(({ name }) => name).join(', ')}; without --server each task has its turn at each
tasks: ${tasks.map(({ name }) => name).join(', ')}`

const words = (given?: readonly string[]) => given?.flatMap((list) => list.split(','))

function chosen(name: 'only' | 'task' | 'persona' | 'dialect' | 'window' | 'server', known: readonly string[]) {
  const wanted = words(options[name])
  const unknown = wanted?.find((one) => !known.includes(one))
  if (unknown === undefined) return wanted
  console.error(`There is no --${name} ${unknown}. There is ${known.join(', ')}.`)
  process.exit(2)
}

function chosenTasks(): Task[] {
  const only = chosen('only', kinds)
  const names = chosen(
    'task',
    tasks.map(({ name }) => name),
  )
  return tasks.filter(({ kind, name }) => (only?.includes(kind) ?? true) && (names?.includes(name) ?? true))
}

async function runScripted(): Promise<ScriptedResult[]> {
  const wanted = chosenTasks()
  const servers = chosen(
    'server',
    serverKinds.map(({ name }) => name),
  )
  const tried = conditions({
    personas: chosen(
      'persona',
      personas.map(({ name }) => name),
    ),
    dialects: chosen('dialect', dialects),
    windows: chosen('window', windows.map(String))?.map(Number),
  })
  const bench = await openBench()
  const results: ScriptedResult[] = []
  for (const [at, condition] of tried.entries()) {
    for (const [place, task] of wanted.entries()) {
      const own = servers && serverKinds.filter(({ name }) => servers.includes(name))
      for (const kind of own ?? [serverFor(place, at, condition)]) results.push(await bench.run(task, condition, kind))
    }
    if (process.stderr.isTTY) process.stderr.write(`\r${at + 1} of ${tried.length}`)
  }
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
  await bench.stop()
  return results
}

async function runReal(model: string): Promise<TaskResult[]> {
  const [dialect = 'auto'] = words(options.dialect) ?? []
  const state = join(tmpdir(), 'notewright-eval')
  const place = { environment: process.env, home: state, state }
  const results: TaskResult[] = []
  for (const task of chosenTasks()) {
    const openModel = (name: string, spoken: string) => openAgentModel(name, { ...place, dialect: spoken })
    const result = await runTask(task, { model, dialect, openModel })
    results.push(result)
    if (!options.json)
      console.log(`${result.failure ? '✗' : '✓'} ${task.name}${result.failure ? `: ${result.failure}` : ''}`)
  }
  return results
}

async function main(): Promise<void> {
  if (options.help) return console.log(usage)
  const started = performance.now()
  const results = options.model ? await runReal(options.model) : await runScripted()
  if (options.json) return console.log(JSON.stringify(results, null, 2))
  const done = results.filter(({ failure }) => failure === undefined).length
  if (!options.model) {
    const scripted = results as ScriptedResult[]
    if (done < results.length) console.log(`${failureList(scripted)}\n`)
    console.log(`${successTable(scripted)}\n\n${serverTable(scripted)}\n`)
    for (const window of new Set(scripted.map((result) => result.window))) {
      const own = scripted.filter((result) => result.window === window)
      console.log(`${window}: ${meanTokens(own)} tokens read for each task`)
    }
    if (scripted.some(isRaw)) process.exitCode = 1
  }
  console.log(`${done} of ${results.length} done, in ${Math.round((performance.now() - started) / 1000)} s`)
}

try {
  await main()
} catch (error) {
  if (!(error instanceof Failure)) throw error
  console.error([error.message, error.details.hint].filter(Boolean).join(' '))
  process.exitCode = 2
}
