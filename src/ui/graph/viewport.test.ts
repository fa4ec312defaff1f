import { expect, it } from 'vitest'
import { allOnScreen, fitted, moved, nearest, type Viewport, zoomed } from './viewport.js'

const size = { width: 400, height: 300 }
const onScreen = (view: Viewport, at: number) => {
  const [x, y] = allOnScreen(view, size, places).subarray(at * 2, at * 2 + 2)
  return { x, y }
}
const places = Float32Array.from([-500, 0, 500, 0, 0, 200])

it('shows all notes inside the picture', () => {
  const view = fitted(places, size)
  for (let at = 0; at < places.length / 2; at++) {
    const { x, y } = onScreen(view, at)
    expect(x >= 0 && x <= size.width && y >= 0 && y <= size.height).toBe(true)
  }
})

it('zooms around the pointer, and finds the note under it', () => {
  const view = fitted(places, size)
  const pointer = onScreen(view, 1)
  const larger = zoomed(view, 3, pointer, size)
  expect(onScreen(larger, 1).x).toBeCloseTo(pointer.x, 1)
  expect(nearest(places, larger, size, pointer)).toBe(1)
  expect(nearest(places, larger, size, { x: pointer.x, y: pointer.y - 40 })).toBe(-1)
})

it('moves with the pointer', () => {
  const view = fitted(places, size)
  const before = onScreen(view, 2)
  const after = onScreen(moved(view, 30, -20), 2)
  expect([after.x - before.x, after.y - before.y].map(Math.round)).toEqual([30, -20])
})
