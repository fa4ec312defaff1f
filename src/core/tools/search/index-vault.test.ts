import { describe, expect, it } from 'vitest'
import { answerOf, callTool, testContext } from '../../../../test/tools/call-tool.js'
import type { IndexUpdate } from '../../index/index.js'
import type { ToolProgress } from '../tool-context.js'
import { indexVault } from './index-vault.js'

describe('index_vault', () => {
  it('updates the index and reports its contents', async () => {
    const context = await testContext({ 'A.md': 'one' })
    context.memory.write('B.md', 'two [[A]]')
    const { output, text } = await answerOf(indexVault, {}, context)
    expect(output).toMatchObject({ notes: 2, links: 1, skipped: [], skipped_total: 0 })
    expect(text).toMatch(/^2 notes indexed, with 2 passages and 1 link, in \d+ ms\.$/)
    expect(await context.index.find('B')).toMatchObject({ path: 'B.md' })
  })

  it('reports progress and names what could not be indexed, not all of a long list', async () => {
    const reported: ToolProgress[] = []
    const skipped = Array.from({ length: 30 }, (_, number) => ({ path: `${number}.md`, reason: 'too large' }))
    const base = await testContext({})
    const update = async ({ onProgress }: IndexUpdate = {}) => {
      onProgress?.({ phase: 'reading', done: 5, total: 10 })
      return { notes: 1, chunks: 1, links: 0, skipped, ms: 3 }
    }
    const context = {
      ...base,
      index: { ...base.index, update },
      report: (step: ToolProgress) => void reported.push(step),
    }
    const { text } = await answerOf(indexVault, {}, context)
    expect(reported).toEqual([{ text: 'Indexing: reading', done: 5, total: 10 }])
    expect(text).toContain('Not indexed: 0.md: too large')
    expect(text).toContain('And 10 more that were not indexed.')
  })

  it('hands its signal on, so that a stop stops it', async () => {
    const stop = new AbortController()
    const base = await testContext({})
    const update = ({ signal }: IndexUpdate = {}) =>
      new Promise<never>((_, reject) => {
        signal?.addEventListener('abort', () => reject(new Error('index stopped')), { once: true })
        stop.abort(new Error('stopped'))
      })
    const context = { ...base, index: { ...base.index, update }, signal: stop.signal }
    await expect(callTool(indexVault, {}, context)).rejects.toThrow('stopped')
  })
})
