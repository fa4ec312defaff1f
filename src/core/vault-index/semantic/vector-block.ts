import { IndexCorrupt } from '../index-store.js'
import { dot, scan } from './scan.js'

/** A query in the space of one model. */
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
  /** 0 where a unit has no vector: it scores 0 with every query. */
  readonly scales: Float32Array
  /** Two numbers a unit that name the text its vector was made of, where that is kept; 0 and 0 for none. */
  readonly keys?: Uint32Array
  /** Cosine of the query with one unit. */
  dotAt(query: QueryVector, index: number): number
  /** Cosine of the query with as many units as `out` has places for, from the first on or a later one. */
  dotAll(query: QueryVector, out: Float32Array, first?: number): void
}

/** A query met vectors of another model. Their product would be a number without meaning. */
export class VectorMismatch extends Error {
  override readonly name = 'VectorMismatch'
}

/** One blob of many vectors, with the id and dimension of the model they belong to. */
export function packVectors(parts: {
  model: string
  dimension: number
  vectors: Int8Array
  scales: Float32Array
  keys?: Uint32Array
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

/** Such a blob with its vectors still to be written, in its own memory: there may be many. */
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

/** Looks into a blob of `packVectors` without copying it. Throws IndexCorrupt when it is not one. */
export function openVectors(bytes: Uint8Array): VectorBlock {
  // Views of four-byte numbers need an aligned start; a store may hand out a slice of something larger.
  const { buffer, byteOffset, length } = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice()
  if (length < headerWords * 4) throw new IndexCorrupt('A vector block is cut short.')
  const [mark, format, dimension, count, modelLength] = new Uint32Array(buffer, byteOffset, headerWords)
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
      return believable(dot(query.values, vectors, index * dimension) * query.scale * scales[index])
    },
    dotAll(query, out, first = 0) {
      check(query)
      const size = Math.min(count - first, out.length)
      scan(query.values, vectors.subarray(first * dimension), size, (product, index) => {
        out[index] = believable(product * query.scale * scales[first + index])
      })
    },
  }
}

/** A cosine is 1 at most, and rounding adds little: anything else comes from a damaged scale and says nothing. */
const believable = (cosine: number): number => (Math.abs(cosine) <= 2 ? cosine : 0)

// Blobs are little-endian, as every host is.
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
