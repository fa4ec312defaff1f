import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { openGuard, testContext } from '../../../test/tools/call-tool.js'
import type { Decision } from './guard.js'
import { registry } from './registry.js'
import { runTool } from './run/run-tool.js'
import { defineTool } from './tool.js'
import { memoryLog } from './tool-log.js'
import { toolTracer, traceLines } from './tool-trace.js'

const search = defineTool({
  name: 'vault_search',
  title: 'Search',
  description: 'Finds.',
  activity: 'Searching',
  category: 'search',
  effects: ['reads'],
  input: z.object({ query: z.string() }),
  output: z.object({ results: z.array(z.string()) }),
  run: async () => ({ results: ['NOTE TEXT', 'NOTE TEXT'] }),
  render: ({ results }) => results.join(),
})

it('traces a call of runTool from the decision to the end', async () => {
  const context = await testContext({})
  const lines: string[] = []
  const rulings: Decision[] = [
    { verdict: 'allow', loggedAs: 'approved', rule: 'person' },
    { verdict: 'deny', code: 'denied', rule: 'person', reason: 'User cancelled tool execution' },
    { verdict: 'deny', code: 'denied', rule: 'deny: vault_search', reason: 'A rule forbids it.' },
    { verdict: 'allow', loggedAs: 'allowed', rule: 'level:ask' },
  ]
  const setup = {
    registry: registry([search]),
    context,
    guard: openGuard(...rulings),
    log: memoryLog(),
    apply: context.apply,
    onStep: toolTracer((line) => lines.push(line)),
  }
  for (let at = 0; at < 4; at++) {
    await runTool({ id: `${at}`, name: 'vault_search', input: { query: 'beans' } }, setup)
  }
  await runTool({ id: '5', name: 'nothing', input: {} }, setup)
  const ran = [
    'Executing tool: vault_search (query: 5 characters)',
    'Vault search: "beans" found 2 results',
    'Tool execution completed: vault_search',
  ]
  expect(lines).toEqual([
    'Tool approved by user: vault_search',
    ...ran,
    'Tool cancelled by user: vault_search',
    'Tool execution failed: vault_search (denied)',
    'Tool denied: vault_search (deny: vault_search)',
    'Tool execution failed: vault_search (denied)',
    'Tool allowed: vault_search (level:ask)',
    ...ran,
    'Tool execution failed: nothing (unknown-tool)',
  ])
})

describe('the lines of --verbose', () => {
  it('say what happens to a call, step by step', () => {
    const tool = 'vault_search'
    const input = { query: 'machine learning', limit: 10 }
    const steps = [
      { step: 'requested', calls: 2 },
      { step: 'asking', tool },
      { step: 'approved', tool },
      { step: 'executing', tool, input },
      { step: 'completed', tool, input, output: { results: [{}, {}, {}] } },
      { step: 'cancelled', tool: 'write_note' },
      { step: 'failed', tool: 'read_note', code: 'not-found' },
    ] as const
    expect(steps.flatMap(traceLines)).toEqual([
      'AI requested 2 tool call(s)',
      'Handling 2 tool call(s)',
      'Requesting approval for tool: vault_search',
      'Tool approved by user: vault_search',
      'Executing tool: vault_search (query: 16 characters, limit: 10)',
      'Vault search: "machine learning" found 3 results',
      'Tool execution completed: vault_search',
      'Tool cancelled by user: write_note',
      'Tool execution failed: read_note (not-found)',
    ])
    expect(traceLines({ step: 'completed', tool: 'file_read', output: { files: [1, 2] } })[0]).toBe('Read 2 files')
    expect(traceLines({ step: 'registered', tool })).toEqual(['Registered tool: vault_search'])
  })

  it('never hold the text of a note or a key', () => {
    const input = {
      path: 'A.md',
      content: 'NOTE TEXT',
      old_text: 'NOTE TEXT',
      diff: 'NOTE TEXT',
      updates: { a: 'NOTE TEXT' },
    }
    const found = [{ path: 'A.md', content: 'NOTE TEXT', preview: 'NOTE TEXT' }]
    const output = { files: found, results: found }
    const lines = [
      ...traceLines({ step: 'executing', tool: 'edit_note', input }),
      ...traceLines({ step: 'completed', tool: 'file_read', input, output }),
      ...traceLines({ step: 'completed', tool: 'vault_search', input: { query: 'sk-test-CANARYKEY0000' }, output }),
      ...traceLines({ step: 'executing', tool: 'web_fetch', input: { url: 'https://x.org/?key=CANARYKEY' } }),
    ].join('\n')
    expect(lines).not.toMatch(/NOTE TEXT|CANARYKEY/)
    expect(lines).toContain('path: "A.md"')
  })
})
