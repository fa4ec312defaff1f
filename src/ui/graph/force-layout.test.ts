import { describe, expect, it } from 'vitest'
import { forceLayout, restThreshold } from './force-layout.js'

function settled(count: number, links: [number, number][]): Float32Array {
  const layout = forceLayout(count, links)
  for (let step = 0; layout.heat() > restThreshold; step++) {
    layout.step()
    expect(step).toBeLessThan(1000)
  }
  return layout.places
}

const distance = (places: Float32Array, one: number, other: number) =>
  Math.hypot(places[one * 2] - places[other * 2], places[one * 2 + 1] - places[other * 2 + 1])

describe('the layout of a graph', () => {
  it('comes to rest, the same way every time', () => {
    const links: [number, number][] = Array.from({ length: 60 }, (_, at) => [at, (at * 7) % 60])
    expect(settled(60, links)).toEqual(settled(60, links))
  })

  it('places linked notes nearer to each other than others', () => {
    const places = settled(9, [
      [0, 1],
      [1, 2],
      [0, 2],
      [6, 7],
      [7, 8],
      [6, 8],
    ])
    expect(Math.max(distance(places, 0, 1), distance(places, 6, 8))).toBeLessThan(
      Math.min(distance(places, 0, 6), distance(places, 1, 8)),
    )
  })

  it('lays no two notes upon each other, and none out of reach', () => {
    const places = settled(300, [])
    for (const place of places) expect(Math.abs(place)).toBeLessThan(5000)
    for (let at = 1; at < 300; at++) expect(distance(places, 0, at)).toBeGreaterThan(5)
  })
})
