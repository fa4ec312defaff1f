import type { ContentHash } from '../../../core/vault/index.js'

/** Bytes that the journal keeps. `like` names others that are kept and differ little from these. */
export interface KeptImage {
  bytes: Uint8Array
  like?: ContentHash
}

/**
 * Where an image stands in its entry's file: hash, offset, length. With a fourth part only the middle stands there,
 * and its start and end are those of another image: hash, length of the start, length of the end.
 */
export type ImagePlace = [
  hash: ContentHash,
  offset: number,
  length: number,
  rest?: [like: ContentHash, start: number, end: number],
]

/** What to write, one after the other, and where each image will be found. */
export function placeImages(images: ReadonlyMap<ContentHash, KeptImage>): {
  places: ImagePlace[]
  parts: Uint8Array[]
} {
  const places: ImagePlace[] = []
  const parts: Uint8Array[] = []
  let offset = 0
  for (const [hash, { bytes, like }] of images) {
    const base = like === undefined ? undefined : images.get(like)
    const [start, end] = base === undefined ? [0, 0] : sharedEnds(base.bytes, bytes)
    const part = bytes.subarray(start, bytes.length - end)
    places.push(base === undefined ? [hash, offset, part.length] : [hash, offset, part.length, [like!, start, end]])
    parts.push(part)
    offset += part.length
  }
  return { places, parts }
}

/** An image put together from its middle and the image it is like. */
export function joinImage(middle: Uint8Array, base: Uint8Array, start: number, end: number): Uint8Array {
  const bytes = new Uint8Array(start + middle.length + end)
  bytes.set(base.subarray(0, start))
  bytes.set(middle, start)
  if (end > 0) bytes.set(base.subarray(-end), start + middle.length)
  return bytes
}

/** How many bytes two texts share at their start and, of what is left, at their end. */
function sharedEnds(a: Uint8Array, b: Uint8Array): [number, number] {
  const shorter = Math.min(a.length, b.length)
  let start = 0
  while (start < shorter && a[start] === b[start]) start++
  let end = 0
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  return [start, end]
}
