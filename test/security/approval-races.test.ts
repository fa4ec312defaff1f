import { expect, it } from 'vitest'
import * as z from 'zod'
import { approvalQueue, guard, memoryGrants, ruleVocabulary } from '../../src/core/approval/index.js'
import { defineTool, memoryLog, registry, runTool } from '../../src/core/tools/index.js'
import { testContext } from '../tools/call-tool.js'

it('a grant stops covering a waiting call once the conversation is tainted', async () => {
  const sent: string[] = []
  const fetch = defineTool({
    name: 'web_fetch',
    title: 'Fetch page',
    description: 'Fetch a page.',
    activity: 'Fetching',
    category: 'media',
    effects: ['reaches-network'],
    input: z.object({ url: z.string() }),
    output: z.object({ text: z.string() }),
    reaches: async ({ url }) => ({ sends: [{ url }] }),
    run: async ({ url }) => {
      sent.push(url)
      return { text: 'a page' }
    },
    render: ({ text }) => text,
  })
  const tools = registry([fetch])
  const vocabulary = ruleVocabulary(tools)
  let loadsSinceAnswer = Number.NEGATIVE_INFINITY
  const own = guard({
    level: 'ask',
    rules: [],
    vocabulary,
    grants: {
      ...memoryGrants(),
      async load() {
        // The first look after the answer finds the second call covered; the taint comes just before the next.
        if (++loadsSinceAnswer === 2) own.observe(['own-note', 'clipped'])
        return []
      },
    },
    approvals: approvalQueue({
      askPerson: async () => {
        loadsSinceAnswer = 0
        return { verdict: 'allow', scope: 'session', rule: 'web_fetch(domain:a.test)' }
      },
    }),
  })
  const context = await testContext({})
  const setup = { registry: tools, context, guard: own, log: memoryLog(), apply: context.apply }
  const call = (url: string) => runTool({ id: url, name: 'web_fetch', input: { url } }, setup)
  const [first, second] = await Promise.all([call('https://a.test/1'), call('https://a.test/2')])
  expect(first).toMatchObject({ ok: true })
  expect(second).toMatchObject({ ok: false, code: 'needs-approval' })
  expect(sent).toEqual(['https://a.test/1'])
})
