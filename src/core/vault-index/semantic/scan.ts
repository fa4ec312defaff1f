import { type Kernel, startKernel } from './kernel.js'

/** Called with the product of the query and each vector, in order. */
export type Visit = (product: number, index: number) => void

/** The products of `query` with the first `count` vectors of its length in `vectors`. */
export function scan(query: Int8Array, vectors: Int8Array, count: number, visit: Visit): void {
  if (scanner === 'untried') scanner = makeScanner()
  if (scanner === 'missing' || query.length > longestQuery) plainScan(query, vectors, count, visit)
  else scanner(query, vectors, count, visit)
}

/** The same without WebAssembly, for hosts that have none. */
export function plainScan(query: Int8Array, vectors: Int8Array, count: number, visit: Visit): void {
  for (let i = 0; i < count; i++) visit(dot(query, vectors, i * query.length), i)
}

/** The product of `query` with the vector that starts at `vectors[at]`. */
export function dot(query: Int8Array, vectors: Int8Array, at: number): number {
  const { length } = query
  let even = 0
  let odd = 0
  let i = 0
  // Whole numbers, so the order of the sum does not matter.
  for (; i + 3 < length; i += 4) {
    even = (even + Math.imul(query[i], vectors[at + i]) + Math.imul(query[i + 2], vectors[at + i + 2])) | 0
    odd = (odd + Math.imul(query[i + 1], vectors[at + i + 1]) + Math.imul(query[i + 3], vectors[at + i + 3])) | 0
  }
  for (; i < length; i++) even = (even + Math.imul(query[i], vectors[at + i])) | 0
  return (even + odd) | 0
}

type Scan = typeof plainScan

const longestQuery = 8192
const windowBytes = 131_072
const windowVectors = 2048

let scanner: Scan | 'untried' | 'missing' = 'untried'

// Vectors pass through a small window of the kernel's memory. Keeping all of them there would save a third of the time
// (2 ms against 3 ms for 100,000 vectors of 192) and cost a second copy of every block, and rules for freeing it.
function makeScanner(): Scan | 'missing' {
  const started = startKernel([longestQuery * 2, windowBytes, windowVectors * 4])
  if (started === undefined) return 'missing'
  const { kernel, places } = started
  return (query, vectors, count, visit) => scanWindows(kernel, places, query, vectors, count, visit)
}

function scanWindows(
  kernel: Kernel,
  [queryPlace, vectorPlace, productPlace]: number[],
  query: Int8Array,
  vectors: Int8Array,
  count: number,
  visit: Visit,
): void {
  const dimension = query.length
  new Int16Array(kernel.buffer, queryPlace, dimension).set(query)
  const window = new Int8Array(kernel.buffer, vectorPlace, windowBytes)
  const products = new Int32Array(kernel.buffer, productPlace, windowVectors)
  const step = Math.min(windowVectors, Math.floor(windowBytes / dimension))
  for (let first = 0; first < count; first += step) {
    const size = Math.min(step, count - first)
    window.set(vectors.subarray(first * dimension, (first + size) * dimension))
    kernel.scan(queryPlace, vectorPlace, productPlace, size, dimension)
    for (let i = 0; i < size; i++) visit(products[i], first + i)
  }
}
