import { afterEach, expect, it, vi } from 'vitest'
import { madeUpNotes } from '../../../../test/samples/made-up-notes.js'
import { memoryVault } from '../../vault/index.js'
import { memoryStore, openVaultIndex, runStage } from '../index.js'

afterEach(() => vi.restoreAllMocks())

const { notes: files, queries } = madeUpNotes(300)

async function answers({ isSlow }: { isSlow: boolean }) {
  let time = 0
  // A first index writes a segment whenever some time has passed, so that an interrupted one continues from there.
  if (isSlow) vi.spyOn(performance, 'now').mockImplementation(() => (time += 150))
  const setup = { vault: memoryVault({ files }), store: memoryStore() }
  await runStage('both', setup, { vectors: true })
  vi.restoreAllMocks()
  const index = await openVaultIndex(setup)
  const hits: unknown[] = []
  for (const query of queries.slice(0, 8)) {
    const answer = await index.search({ query, explain: true })
    hits.push(
      answer.hits.map(({ path, score, why }) => [path, score.toFixed(9), Number(why?.passageMeaning).toFixed(9)]),
    )
  }
  const segments = (await setup.store.blobNames()).filter(({ kind }) => kind === 'text')
  return { hits, segments: segments.length }
}

it('a search gives the same scores however the index is divided into segments', async () => {
  const [one, many] = [await answers({ isSlow: false }), await answers({ isSlow: true })]
  expect(one.segments).toBe(1)
  expect(many.segments).toBeGreaterThan(1)
  expect(many.hits).toEqual(one.hits)
})
