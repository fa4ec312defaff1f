import { expect, it } from 'vitest'
import * as z from 'zod'
import type { Ruling } from './guard.js'
import { registry } from './registry.js'
import { runTool } from './run/index.js'
import { openGuard } from './testing/open-guard.js'
import { testContext } from './testing/test-context.js'
import { defineTool } from './tool.js'
import { memoryLog } from './tool-log.js'
import { toolTracer } from './tool-tracer.js'

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

it('says what runTool does with a call, from the ruling to the end', async () => {
  const context = await testContext({})
  const lines: string[] = []
  const rulings: Ruling[] = [
    { verdict: 'allow', decision: 'approved', rule: 'person' },
    { verdict: 'deny', code: 'denied', rule: 'person', reason: 'User cancelled tool execution' },
    { verdict: 'deny', code: 'denied', rule: 'deny: vault_search', reason: 'A rule forbids it.' },
    { verdict: 'allow', decision: 'allowed', rule: 'level:ask' },
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
