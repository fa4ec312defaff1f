import { Failure } from '../../errors.js'
import { IndexCorrupt } from '../index-store.js'
import { type Kernel, startKernel } from './kernel.js'

// `!` is used on `vectors`, with `dimension` numbers for each row, on `scales`, with one, and on a query of the same
// dimension.

/** A query vector of one model. */
export interface QueryVector {
  readonly model: string
  readonly dimension: number
  readonly values: Int8Array
  readonly scale: number
}

/** The vectors of many units of one model, packed. Immutable. */
export interface VectorBlock {
  readonly model: string
  readonly dimension: number
  readonly count: number
  /** Unit i is `vectors[i * dimension …] * scales[i]`. */
  readonly vectors: Int8Array
  /** 0 if a unit has no vector: it scores 0 with every query. */
  readonly scales: Float32Array
  /** Two numbers per unit: the key of the text that was embedded, if stored; 0 and 0 for none. */
  readonly keys?: Uint32Array
  /** Cosine of the query with one unit. */
  dotAt(query: QueryVector, index: number): number
  /** Cosines of the query with as many units as `out` can take, starting at `first`. */
  dotAll(query: QueryVector, out: Float32Array, first?: number): void
}

/** A query was compared with vectors of another model, which has no meaningful result. */
export class VectorMismatch extends Error {
  override readonly name = 'VectorMismatch'
}

/** Packs vectors into one blob with the id and dimension of their model. */
export function packVectors(parts: {
  model: string
  dimension: number
  vectors: Int8Array
  scales: Float32Array
  keys?: Uint32Array | undefined
}): Uint8Array {
  const { model, dimension, vectors, scales, keys } = parts
  if (vectors.length !== scales.length * dimension) {
    throw new VectorMismatch(`${vectors.length} values are not ${scales.length} vectors of dimension ${dimension}.`)
  }
  const packed = emptyVectors({ model, dimension, count: scales.length, hasKeys: keys !== undefined })
  packed.scales.set(scales)
  packed.vectors.set(vectors)
  if (keys !== undefined) packed.keys.set(keys)
  return packed.bytes
}

/** Allocates an empty vector block to fill in place. */
export function emptyVectors({
  model,
  dimension,
  count,
  hasKeys = false,
}: {
  model: string
  dimension: number
  count: number
  hasKeys?: boolean
}): {
  bytes: Uint8Array
  vectors: Int8Array
  scales: Float32Array
  keys: Uint32Array
} {
  if (dimension < 1 || dimension > largestDimension) throw new VectorMismatch(`No vector has dimension ${dimension}.`)
  const layout = layoutOf(model.length, count, dimension, hasKeys)
  const bytes = new Uint8Array(layout.end)
  const format = hasKeys ? versionWithKeys : version
  new Uint32Array(bytes.buffer, 0, headerWords).set([magic, format, dimension, count, model.length])
  const name = new Uint16Array(bytes.buffer, layout.model, model.length)
  for (let i = 0; i < model.length; i++) name[i] = model.charCodeAt(i)
  return {
    bytes,
    vectors: new Int8Array(bytes.buffer, layout.vectors, count * dimension),
    scales: new Float32Array(bytes.buffer, layout.scales, count),
    keys: new Uint32Array(bytes.buffer, layout.keys, hasKeys ? count * 2 : 0),
  }
}

/** Opens a blob of `packVectors` without copying it. Throws IndexCorrupt if it is damaged. */
export function openVectors(bytes: Uint8Array): VectorBlock {
  // Typed arrays need an aligned start, and a store may pass a slice of a larger buffer.
  const { buffer, byteOffset, length } = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice()
  if (length < headerWords * 4) throw new IndexCorrupt('A vector block is cut short.')
  const header = new Uint32Array(buffer, byteOffset, headerWords)
  const [mark, format, dimension, count, modelLength] = header as unknown as [number, number, number, number, number]
  const hasKeys = format === versionWithKeys
  if (mark !== magic || (format !== version && !hasKeys))
    throw new IndexCorrupt('This is not a vector block of this version.')
  if (dimension < 1 || dimension > largestDimension || modelLength > longestModelId) {
    throw new IndexCorrupt('A vector block has an impossible header.')
  }
  const layout = layoutOf(modelLength, count, dimension, hasKeys)
  if (layout.end !== length) throw new IndexCorrupt('A vector block has the wrong size.')
  const scales = new Float32Array(buffer, byteOffset + layout.scales, count)
  return vectorBlock(
    String.fromCharCode(...new Uint16Array(buffer, byteOffset + layout.model, modelLength)),
    dimension,
    new Int8Array(buffer, byteOffset + layout.vectors, count * dimension),
    scales,
    hasKeys ? new Uint32Array(buffer, byteOffset + layout.keys, count * 2) : undefined,
  )
}

function vectorBlock(
  model: string,
  dimension: number,
  vectors: Int8Array,
  scales: Float32Array,
  keys: Uint32Array | undefined,
): VectorBlock {
  const count = scales.length

  function check(query: QueryVector): void {
    if (query.dimension !== dimension || query.values.length !== dimension || query.model !== model) {
      throw new VectorMismatch(
        `A query of model ${query.model} (${query.dimension}) cannot be compared with vectors of ${model} (${dimension}).`,
      )
    }
  }

  return {
    model,
    dimension,
    count,
    vectors,
    scales,
    ...(keys && { keys }),
    dotAt(query, index) {
      check(query)
      if (!(index >= 0 && index < count)) throw new RangeError(`There is no vector ${index} among ${count}.`)
      return plausibleCosine(dot(query.values, vectors, index * dimension) * query.scale * scales[index]!)
    },
    dotAll(query, out, first = 0) {
      check(query)
      const size = Math.min(count - first, out.length)
      scan(query.values, vectors.subarray(first * dimension), size, (product, index) => {
        out[index] = plausibleCosine(product * query.scale * scales[first + index]!)
      })
    },
  }
}

/** A cosine is at most 1 plus rounding: larger values come from a damaged scale and count as 0. */
const plausibleCosine = (cosine: number): number => (Math.abs(cosine) <= 2 ? cosine : 0)

// Blobs are little-endian, like all supported hosts.
const magic = 0x5643_574e
const version = 1
const versionWithKeys = 2
const headerWords = 5
/** Keeps the sum of `dimension` products of two signed bytes inside 32 bits. */
const largestDimension = 65_536
const longestModelId = 1_024

function layoutOf(modelLength: number, count: number, dimension: number, hasKeys: boolean) {
  const model = headerWords * 4
  const scales = model + Math.ceil((modelLength * 2) / 4) * 4
  const keys = scales + count * 4
  const vectors = keys + (hasKeys ? count * 8 : 0)
  return { model, scales, keys, vectors, end: vectors + count * dimension }
}

/** Receives the product of the query and each vector, in order. */
type Visit = (product: number, index: number) => void

/** The products of `query` with the first `count` vectors of its length in `vectors`. */
export function scan(query: Int8Array, vectors: Int8Array, count: number, visit: Visit): void {
  if (scanner === 'untried') scanner = makeScanner()
  if (scanner === 'missing' || query.length > longestQuery) plainScan(query, vectors, count, visit)
  else scanner(query, vectors, count, visit)
}

/** The same without WebAssembly. */
export function plainScan(query: Int8Array, vectors: Int8Array, count: number, visit: Visit): void {
  for (let i = 0; i < count; i++) visit(dot(query, vectors, i * query.length), i)
}

/** The product of `query` with the vector that starts at `vectors[at]`. */
function dot(query: Int8Array, vectors: Int8Array, at: number): number {
  const { length } = query
  let even = 0
  let odd = 0
  let i = 0
  // Integers, so the order of the sum does not matter.
  for (; i + 3 < length; i += 4) {
    even = (even + Math.imul(query[i]!, vectors[at + i]!) + Math.imul(query[i + 2]!, vectors[at + i + 2]!)) | 0
    odd = (odd + Math.imul(query[i + 1]!, vectors[at + i + 1]!) + Math.imul(query[i + 3]!, vectors[at + i + 3]!)) | 0
  }
  for (; i < length; i++) even = (even + Math.imul(query[i]!, vectors[at + i]!)) | 0
  return (even + odd) | 0
}

type Scan = typeof plainScan

const longestQuery = 8192
const windowBytes = 131_072
const windowVectors = 2048

let scanner: Scan | 'untried' | 'missing' = 'untried'

// Vectors pass through a small window of the kernel's memory. Keeping all of them there would save a third of the time
// (2 ms instead of 3 ms for 100,000 vectors of 192), but needs a second copy of every block and rules for freeing it.
function makeScanner(): Scan | 'missing' {
  const started = startKernel([longestQuery * 2, windowBytes, windowVectors * 4])
  if (started === undefined) return 'missing'
  const { kernel, places } = started
  return (query, vectors, count, visit) => scanWindows(kernel, places, query, vectors, count, visit)
}

function scanWindows(
  kernel: Kernel,
  places: readonly number[],
  query: Int8Array,
  vectors: Int8Array,
  count: number,
  visit: Visit,
): void {
  const [queryPlace, vectorPlace, productPlace] = places as [number, number, number]
  const dimension = query.length
  new Int16Array(kernel.buffer, queryPlace, dimension).set(query)
  const window = new Int8Array(kernel.buffer, vectorPlace, windowBytes)
  const products = new Int32Array(kernel.buffer, productPlace, windowVectors)
  const step = Math.min(windowVectors, Math.floor(windowBytes / dimension))
  for (let first = 0; first < count; first += step) {
    const size = Math.min(step, count - first)
    window.set(vectors.subarray(first * dimension, (first + size) * dimension))
    kernel.scan(queryPlace, vectorPlace, productPlace, size, dimension)
    for (let i = 0; i < size; i++) visit(products[i]!, first + i)
  }
}

/**
 * A direction in 8 bits per dimension: `values[i] * scale` is the unit-length vector. A scale of 0 means no direction.
 */
export interface QuantisedVector {
  values: Int8Array
  scale: number
}

/** Keeps a vector's direction: the largest component becomes ±127, the scale makes the length 1. */
export function quantise(vector: Float32Array): QuantisedVector {
  const values = new Int8Array(vector.length)
  return { values, scale: quantiseInto(vector, values, 0) }
}

/** Writes the direction of `vector` at `out[at…]` and returns its scale; 0 for a vector of zeros. */
export function quantiseInto(vector: Float32Array | Float64Array | Int32Array, out: Int8Array, at: number): number {
  let largest = 0
  for (let i = 0; i < vector.length; i++) {
    const size = Math.abs(vector[i]!)
    if (!(size < Number.POSITIVE_INFINITY))
      throw new Failure('invalid-input', 'A vector holds a value that is not a finite number.')
    if (size > largest) largest = size
  }
  if (largest === 0) {
    out.fill(0, at, at + vector.length)
    return 0
  }
  // Divides before multiplying: 127 / largest overflows for the smallest numbers.
  let squares = 0
  for (let i = 0; i < vector.length; i++) {
    const value = roundHalfAway((vector[i]! / largest) * 127)
    out[at + i] = value
    squares += value * value
  }
  return Math.fround(1 / Math.sqrt(squares))
}

function roundHalfAway(value: number): number {
  return value < 0 ? -Math.floor(0.5 - value) : Math.floor(value + 0.5)
}
