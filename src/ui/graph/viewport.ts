// `!` is used on arrays of places with two numbers for each note, at steps of two.

/** The visible part of the plane: the point in the centre, and the scale. */
export interface Viewport {
  x: number
  y: number
  scale: number
}

export interface Size {
  width: number
  height: number
}

const margin = 30
/** A few notes need not fill the picture. */
const largestFit = 2.2

/** Fits all of it, as large as possible. */
export function fitted(places: Float32Array, { width, height }: Size): Viewport {
  if (places.length === 0) return { x: 0, y: 0, scale: 1 }
  let [left, right, top, bottom] = [places[0]!, places[0]!, places[1]!, places[1]!]
  for (let at = 0; at < places.length; at += 2) {
    left = Math.min(left, places[at]!)
    right = Math.max(right, places[at]!)
    top = Math.min(top, places[at + 1]!)
    bottom = Math.max(bottom, places[at + 1]!)
  }
  const across = Math.max(1, width - 2 * margin) / Math.max(1, right - left)
  const down = Math.max(1, height - 2 * margin) / Math.max(1, bottom - top)
  return { x: (left + right) / 2, y: (top + bottom) / 2, scale: bounded(Math.min(across, down, largestFit)) }
}

const bounded = (scale: number): number => Math.min(8, Math.max(0.02, scale))

/** Larger or smaller, with the place under the pointer staying where it is. */
export function zoomed(view: Viewport, by: number, at: { x: number; y: number }, { width, height }: Size): Viewport {
  const scale = bounded(view.scale * by)
  const [x, y] = [at.x - width / 2, at.y - height / 2]
  return { scale, x: view.x + x / view.scale - x / scale, y: view.y + y / view.scale - y / scale }
}

export const moved = (view: Viewport, right: number, down: number): Viewport => ({
  ...view,
  x: view.x - right / view.scale,
  y: view.y - down / view.scale,
})

/** x and y of every place on the screen, in turn. */
export function allOnScreen({ x, y, scale }: Viewport, { width, height }: Size, places: Float32Array): Float32Array {
  const shown = new Float32Array(places.length)
  for (let at = 0; at < places.length; at += 2) {
    shown[at] = (places[at]! - x) * scale + width / 2
    shown[at + 1] = (places[at + 1]! - y) * scale + height / 2
  }
  return shown
}

/** The note under the pointer, or the nearest within a finger's breadth; -1 when there is none. */
export function nearest(places: Float32Array, view: Viewport, size: Size, pointer: { x: number; y: number }): number {
  const shown = allOnScreen(view, size, places)
  let [found, best] = [-1, 14 * 14]
  for (let at = 0; at < places.length / 2; at++) {
    const square = (shown[at * 2]! - pointer.x) ** 2 + (shown[at * 2 + 1]! - pointer.y) ** 2
    if (square < best) [found, best] = [at, square]
  }
  return found
}
