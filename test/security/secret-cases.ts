import { mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import * as z from 'zod'
import { Failure } from '../../src/core/errors.js'
import type { LoggedCall } from '../../src/core/tools/index.js'
import { defineTool, redactor, registry, runTool, traceLines } from '../../src/core/tools/index.js'
import { callLog, readLog } from '../../src/hosts/node/call-log.js'
import { vaultState } from '../../src/hosts/node/state-database.js'
import { openGuard, testContext } from '../tools/call-tool.js'
import { filesWith, scratchFolder } from './floor.js'
import type { CaseChecks, SecurityCase } from './security-case.js'
import { quoted } from './security-case.js'

/** The part of these cases that the tool-call log must hold; key stores and transcripts are later floors. */
export const secretCases: CaseChecks = {
  K01: (of) => [
    {
      name: '20 calls whose arguments, results, failures and crashes echo the keys: none in the log, none in a trace',
      run: async () => {
        const { folder, lines, calls, word } = await turns(of)
        expect(calls).toHaveLength(20)
        expect(calls.filter(({ error }) => error !== undefined).length).toBeGreaterThanOrEqual(10)
        expect(filesWith(folder, word)).toEqual([])
        expect(JSON.stringify([calls, lines])).not.toContain(word)
        rmSync(folder, { recursive: true })
      },
    },
    {
      name: 'the log is in a folder and a file of its owner alone',
      run: async () => {
        const { folder } = await turns(of)
        const modes = [folder, join(folder, 'state.db')].map((path) => statSync(path).mode)
        expect(modes.map((mode) => (mode & 0o777).toString(8))).toEqual(['700', '600'])
        rmSync(folder, { recursive: true })
      },
    },
  ],
}

const echo = defineTool({
  name: 'echo',
  title: 'Echo',
  description: 'Answers, fails or crashes with what it was given.',
  activity: 'Echoing',
  category: 'custom',
  effects: ['reaches-network'],
  input: z.object({ how: z.enum(['answer', 'fail', 'crash', 'leak']), text: z.string(), headers: z.unknown() }),
  output: z.object({ text: z.string() }),
  reaches: async ({ text }) => ({
    sends: [{ url: `https://user:${text}@example.org/?api_key=${text}`, payload: text }],
  }),
  async run({ how, text }) {
    if (how === 'fail') throw new Failure('network', `401 {"error":"Incorrect API key provided: ${text}"}`)
    if (how === 'crash') throw new Error(`500 at https://example.org/?key=${encodeURIComponent(text)}: ${text}`)
    return { text }
  },
  summary: ({ text }) => `Got ${text}`,
  render: ({ text }) => text,
})

async function turns(of: SecurityCase) {
  const [example] = quoted(of.setup)
  const start = example.replace(/\.+$/, '')
  const word = start.slice(start.lastIndexOf('-') + 1)
  const makers = ['', 'ant-', 'or-v1-', 'proj-'].map((kind) => start.replace('test-', `${kind}test-`))
  const keys = [...makers, `AIza${word}`, `plain ${word}/+=`, `http "${word}" token`, `mcp\n${word}\u00e9`]
  const folder = scratchFolder()
  mkdirSync(folder, { recursive: true })
  const context = await testContext({ 'A.md': 'a' })
  const state = vaultState(folder)
  const log = callLog({ state, redact: redactor({ secrets: keys }) })
  const setup = { registry: registry([echo]), context, guard: openGuard(), log, apply: context.apply }
  const lines: string[] = []
  for (let turn = 0; turn < 20; turn++) {
    const key = keys[turn % keys.length]
    const how = ['answer', 'fail', 'crash', 'leak'][turn % 4]
    const headers = { authorization: `Bearer ${key}`, 'x-other': [key, { [key]: key }] }
    const input =
      how === 'leak' ? { how: key, text: 1, headers } : { how, text: `${'x'.repeat(turn * 30)}${key}`, headers }
    const result = await runTool({ id: `${turn}`, name: 'echo', input }, setup)
    lines.push(...traceLines({ step: 'executing', tool: 'echo', input }))
    if (result.ok) lines.push(...traceLines({ step: 'completed', tool: 'echo', input, output: result.output }))
    else lines.push(...traceLines({ step: 'failed', tool: 'echo', code: result.code }))
  }
  const calls: LoggedCall[] = []
  for await (const call of readLog({ folder })) calls.push(call)
  state.close()
  return { folder, lines, calls, word }
}
