import { describe, expect, it } from 'vitest'
import { embedQuery, embedTexts } from './embed.js'
import { hashEmbedder } from './testing/hash-embedder.js'
import { openVectors, VectorMismatch } from './vector-block.js'

const { signal } = new AbortController()

describe('provider embeddings', () => {
  it('become one block, asked for in batches of the size the provider takes', async () => {
    const embedder = hashEmbedder(64, 3)
    const texts = ['a quiet garden', 'rivers and lakes', 'the garden gate', 'tax return', 'x', 'y', 'z']
    const block = openVectors(await embedTexts(embedder, texts, signal))
    expect(embedder.batches).toEqual([3, 3, 1])
    expect(block).toMatchObject({ model: 'hash-64', dimension: 64, count: 7 })

    const scores = new Float32Array(7)
    block.dotAll(await embedQuery(embedder, 'quiet garden', signal), scores)
    expect(scores.indexOf(Math.max(...scores))).toBe(0)
  })

  it('never meet vectors of another model', async () => {
    const block = openVectors(await embedTexts(hashEmbedder(64), ['a'], signal))
    const query = await embedQuery(hashEmbedder(32), 'a', signal)
    expect(() => block.dotAt(query, 0)).toThrow(VectorMismatch)
  })

  it('are refused when the provider gives too few or vectors of another dimension', async () => {
    const short = { ...hashEmbedder(8), embed: async () => [] }
    const wrong = { ...hashEmbedder(8), embed: async (texts: string[]) => texts.map(() => new Float32Array(9)) }
    await expect(embedTexts(short, ['a'], signal)).rejects.toThrow(VectorMismatch)
    await expect(embedTexts(wrong, ['a'], signal)).rejects.toThrow(VectorMismatch)
    await expect(embedQuery(short, 'a', signal)).rejects.toThrow(VectorMismatch)
  })

  it('stop between batches when told to', async () => {
    const stop = new AbortController()
    const embedder = hashEmbedder(8, 1)
    const once = {
      ...embedder,
      embed: async (texts: string[], signal: AbortSignal) => {
        const vectors = await embedder.embed(texts, signal)
        stop.abort()
        return vectors
      },
    }
    await expect(embedTexts(once, ['a', 'b', 'c'], stop.signal)).rejects.toThrow()
    expect(embedder.batches).toEqual([1])
  })
})
