import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Failure } from '../../errors.js'
import { quantise } from './quantise.js'

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

  it('refuses values that are not finite numbers', () => {
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => quantise(Float32Array.of(1, bad))).toThrow(Failure)
    }
  })
})
