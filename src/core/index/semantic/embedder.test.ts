import { describe, expect, it } from 'vitest'
import { hashEmbedder } from '../../../../test/doubles/hash-embedder.js'
import { embedPassages, embedQuery } from './embedder.js'
import { openVectors, packVectors, VectorMismatch } from './vector-block.js'

const { signal } = new AbortController()

describe('provider embeddings', () => {
  it('are packed with their keys, and the nearest is found', async () => {
    const texts = ['a quiet garden', 'rivers and lakes', 'the garden gate', 'tax return']
    const made = await embedPassages(hashEmbedder(64), texts, signal)
    const vectors = new Int8Array(4 * 64)
    for (const [at, { values }] of made.entries()) vectors.set(values, at * 64)
    const keys = Uint32Array.from([1, 2, 3, 4, 5, 6, 7, 8])
    const scales = Float32Array.from(made, ({ scale }) => scale)
    const block = openVectors(packVectors({ model: 'hash-64', dimension: 64, vectors, scales, keys }))
    expect(block.keys).toEqual(keys)
    const scores = new Float32Array(4)
    block.dotAll(await embedQuery(hashEmbedder(64), 'quiet garden', signal), scores)
    expect(scores.indexOf(Math.max(...scores))).toBe(0)
    const other = await embedQuery(hashEmbedder(32), 'a', signal)
    expect(() => block.dotAt(other, 0)).toThrow(VectorMismatch)
  })

  it('are rejected when some are missing, empty or of another dimension', async () => {
    const giving = (...lengths: number[]) => ({
      ...hashEmbedder(8),
      embed: async () => lengths.map((length) => new Float32Array(length)),
    })
    await expect(embedPassages(giving(), ['a'], signal)).rejects.toThrow(VectorMismatch)
    await expect(embedPassages(giving(8, 9), ['a', 'b'], signal)).rejects.toThrow(VectorMismatch)
    await expect(embedPassages(giving(0), ['a'], signal)).rejects.toThrow(VectorMismatch)
    await expect(embedQuery(giving(), 'a', signal)).rejects.toThrow(VectorMismatch)
  })
})
