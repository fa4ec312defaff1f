import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Failure } from '../../errors.js'
import { IndexCorrupt } from '../index-store.js'
import { openVectors, packVectors, type QueryVector, quantise, VectorMismatch } from './vector-block.js'

describe('a block of vectors', () => {
  it('scores one unit and all units alike', () => {
    const block = openVectors(packed(20, 500))
    const query = queryOf(20)
    const all = new Float32Array(600).fill(9)
    block.dotAll(query, all)
    for (let i = 0; i < 500; i++) expect(all[i]).toBe(Math.fround(block.dotAt(query, i)))
    expect(all.slice(500)).toEqual(new Float32Array(100).fill(9))
    const last = new Float32Array(10).fill(9)
    block.dotAll(query, last, 497)
    expect(last).toEqual(Float32Array.of(...all.slice(497, 500), ...new Float32Array(7).fill(9)))
  })

  it('returns the cosine within the precision of eight bits', () => {
    const finite = fc.double({ min: -1, max: 1, noNaN: true })
    const pair = fc.integer({ min: 1, max: 64 }).chain((size) => {
      const vector = fc.array(finite, { minLength: size, maxLength: size }).filter((v) => Math.hypot(...v) > 1e-3)
      return fc.tuple(vector, vector)
    })
    fc.assert(
      fc.property(pair, ([a, b]) => {
        const [left, right] = [a, b].map((vector) => quantise(Float32Array.from(vector)))
        const dimension = a.length
        const block = openVectors(
          packVectors({ model: 'm', dimension, vectors: left.values, scales: Float32Array.of(left.scale) }),
        )
        const exact = a.reduce((sum, value, i) => sum + value * b[i], 0) / (Math.hypot(...a) * Math.hypot(...b))
        // Rounding moves each direction by at most √d / 254 (see quantise.test.ts).
        const score = block.dotAt({ model: 'm', dimension, ...right }, 0)
        expect(Math.abs(score - exact)).toBeLessThanOrEqual((2 * Math.sqrt(dimension)) / 254 + 1e-5)
      }),
    )
  })

  it('scores a unit without a direction 0', () => {
    const bytes = packVectors({ model: 'm', dimension: 4, vectors: new Int8Array(4), scales: new Float32Array(1) })
    expect(openVectors(bytes).dotAt({ ...queryOf(4), model: 'm' }, 0)).toBe(0)
  })

  it('rejects a query of another model or dimension', () => {
    const block = openVectors(packed(20, 3))
    const out = new Float32Array(3)
    for (const wrong of [
      queryOf(21),
      { ...queryOf(20), model: 'other' },
      { ...queryOf(20), values: new Int8Array(19) },
    ]) {
      expect(() => block.dotAt(wrong, 0)).toThrow(VectorMismatch)
      expect(() => block.dotAll(wrong, out)).toThrow(VectorMismatch)
    }
  })

  it('rejects a unit that does not exist', () => {
    const block = openVectors(packed(20, 3))
    for (const index of [-1, 3, Number.NaN]) expect(() => block.dotAt(queryOf(20), index)).toThrow(RangeError)
  })

  it('scores the first units when there is room for no more', () => {
    const block = openVectors(packed(20, 3))
    const [all, first] = [new Float32Array(3), new Float32Array(2)]
    block.dotAll(queryOf(20), all)
    block.dotAll(queryOf(20), first)
    expect(first).toEqual(all.slice(0, 2))
  })

  it('is read in place, without a copy', () => {
    const bytes = packed(16, 10)
    const block = openVectors(bytes)
    expect(block.vectors.buffer).toBe(bytes.buffer)
    expect(block.scales.buffer).toBe(bytes.buffer)
    expect(block.model).toBe('lsa-test')
  })

  it('is read at any offset in a larger buffer, and when empty', () => {
    const bytes = packed(7, 5)
    const larger = new Uint8Array(bytes.length + 3)
    larger.set(bytes, 3)
    expect(openVectors(larger.subarray(3)).vectors).toEqual(openVectors(bytes).vectors)
    const none = openVectors(packed(7, 0))
    none.dotAll(queryOf(7), new Float32Array(0))
    expect(none.count).toBe(0)
  })

  it('cannot be packed from parts that do not fit together', () => {
    const scales = new Float32Array(2)
    expect(() => packVectors({ model: 'm', dimension: 3, vectors: new Int8Array(5), scales })).toThrow(VectorMismatch)
    expect(() => packVectors({ model: 'm', dimension: 0, vectors: new Int8Array(0), scales })).toThrow(VectorMismatch)
  })

  it('is rejected as corrupt when cut short, extended or something else', () => {
    const bytes = packed(5, 9)
    for (let length = 0; length < bytes.length; length++) {
      expect(() => openVectors(bytes.subarray(0, length))).toThrow(IndexCorrupt)
    }
    expect(() => openVectors(Uint8Array.of(...bytes, 0))).toThrow(IndexCorrupt)
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (noise) => {
        expect(() => openVectors(noise)).toThrow(IndexCorrupt)
      }),
    )
  })

  it('is rejected or gives finite scores, whatever bytes were changed', () => {
    const bytes = packed(5, 9)
    const change = fc.tuple(fc.nat(bytes.length - 1), fc.nat(255))
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        const damaged = bytes.slice()
        for (const [at, value] of changes) damaged[at] = value
        try {
          const block = openVectors(damaged)
          const scores = new Float32Array(block.count)
          block.dotAll({ ...queryOf(block.dimension), model: block.model }, scores)
          expect([...scores].every(Number.isFinite)).toBe(true)
        } catch (error) {
          expect(error).toBeInstanceOf(IndexCorrupt)
        }
      }),
      // A scale that is a number, but far too large.
      { examples: [[[[39, 124]]]] },
    )
  })
})

function packed(dimension: number, count: number): Uint8Array {
  const vectors = Int8Array.from({ length: dimension * count }, (_, i) => ((i * 37) % 255) - 127)
  const scales = Float32Array.from({ length: count }, (_, i) => 1 / (300 + i))
  return packVectors({ model: 'lsa-test', dimension, vectors, scales })
}

function queryOf(dimension: number): QueryVector {
  return { model: 'lsa-test', dimension, values: Int8Array.from({ length: dimension }, (_, i) => 90 - i), scale: 0.004 }
}

const component = fc.float({ noNaN: true, noDefaultInfinity: true })

describe('quantise', () => {
  it('moves a direction by an angle whose sine is at most √d / 254', () => {
    fc.assert(
      fc.property(fc.array(component, { minLength: 1, maxLength: 300 }), (components) => {
        const largest = Math.max(...components.map(Math.abs))
        fc.pre(largest > 0)
        const { values, scale } = quantise(Float32Array.from(components))
        const exact = components.map((value) => value / largest)
        const length = Math.hypot(...exact)
        const cosine = exact.reduce((sum, value, i) => sum + (value / length) * values[i] * scale, 0)
        const sine = Math.sqrt(Math.max(0, 1 - cosine * cosine))
        expect(cosine).toBeGreaterThan(0)
        expect(sine).toBeLessThanOrEqual(Math.sqrt(components.length) / 254 + 1e-3)
      }),
    )
  })

  it('leaves a vector of length 1', () => {
    const { values, scale } = quantise(Float32Array.of(3, -4, 12, 0.001))
    expect(Math.hypot(...[...values].map((value) => value * scale))).toBeCloseTo(1, 6)
    expect(values[2]).toBe(127)
  })

  it('treats a vector and its opposite alike', () => {
    fc.assert(
      fc.property(fc.array(component, { maxLength: 20 }), (components) => {
        const one = quantise(Float32Array.from(components))
        const other = quantise(Float32Array.from(components, (value) => -value))
        expect(other.values).toEqual(one.values.map((value) => -value))
        expect(other.scale).toBe(one.scale)
      }),
    )
  })

  it('gives no direction to a vector of zeros', () => {
    expect(quantise(new Float32Array(3))).toEqual({ values: new Int8Array(3), scale: 0 })
  })

  it('keeps the direction of the smallest and the largest numbers', () => {
    expect([...quantise(Float32Array.of(1e-45, -1e-45)).values]).toEqual([127, -127])
    expect([...quantise(Float32Array.of(3e38, 1.5e38)).values]).toEqual([127, 64])
  })

  it('rejects values that are not finite numbers', () => {
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => quantise(Float32Array.of(1, bad))).toThrow(Failure)
    }
  })
})
