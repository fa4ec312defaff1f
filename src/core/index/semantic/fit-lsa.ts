import type { LsaModel } from './lsa-model.js'
import {
  countEntries,
  fillTransposed,
  fillWeights,
  type Panels,
  panelWidth,
  type SparseMatrix,
  type SparseProduct,
  type SparseRows,
  sparseProduct,
} from './matrices.js'
import { orthonormalise } from './orthonormalise.js'
import { naturalLog, randomSource } from './portable-math.js'

// `!` is used on arrays with one entry for each term, at numbers of terms, and on rows and columns of matrices made of
// them.

export interface FitInput {
  /** The units to fit on: all units of the vault, or a sample. */
  rows: SparseRows
  /** The stem of each term number. */
  terms: readonly string[]
  /** In how many units of the whole vault each term number occurs. */
  documentFrequency: Int32Array
  /** Units of the whole vault; more than the rows when they are a sample. */
  unitCount: number
  seed?: number
}

/**
 * Fits latent semantics to a vault: the space of the strongest singular vectors of its weighted term matrix, by
 * subspace iteration. Yields progress, 0 to 1, every few milliseconds, so that a host can interleave other work or
 * stop by not continuing. The same input gives the same model, bit for bit, on every host.
 */
export function* fitLsa({
  rows,
  terms,
  documentFrequency,
  unitCount,
  seed = 1,
}: FitInput): Generator<number, LsaModel> {
  const chosen = selectTerms(terms, documentFrequency, unitCount)
  const idf = Float32Array.from(chosen, (term) => naturalLog(unitCount / documentFrequency[term]!))
  yield 0.01
  const work = yield* withProgress(prepareMatrix(rows, chosen, terms.length, idf), 0.02)
  const dimension = dimensionFor(unitCount, Math.min(work.product.matrix.rows, chosen.length))
  const basis = yield* withProgress(randomPanels(chosen.length, dimension, seed), 0.04)
  for (let round = 0; round < rounds; round++) {
    const from = 0.05 + (0.94 * round) / rounds
    yield* iterate(work, basis, from, 0.94 / rounds / 2)
    yield* withProgress(orthonormalise(basis), from + 0.94 / rounds / 2)
  }
  const stems = Array.from(chosen, (term) => terms[term]!)
  return yield* withProgress(quantiseTerms(basis, dimension, stems, idf), 0.99)
}

const rounds = 3

function dimensionFor(unitCount: number, rank: number): number {
  const wanted = Math.min(128, Math.max(16, Math.round(unitCount / 4)))
  return Math.max(1, Math.min(wanted, rank))
}

interface FitWork {
  product: SparseProduct
  forward: Slice[]
  backward: Slice[]
}

/** Builds the weighted matrix for multiplication. */
function* prepareMatrix(
  rows: SparseRows,
  chosen: Int32Array,
  termCount: number,
  idf: Float32Array,
): Generator<void, FitWork> {
  const columnOf = new Int32Array(termCount).fill(-1)
  for (let column = 0; column < chosen.length; column++) columnOf[chosen[column]!] = column
  const units = Math.max(0, rows.rowStart.length - 1)
  const product = sparseProduct(units, chosen.length, countEntries(rows, columnOf))
  yield
  yield* fillWeights(product.matrix, rows, columnOf, idf)
  yield* fillTransposed(product.transposed, product.matrix)
  return { product, forward: slices(product.matrix), backward: slices(product.transposed) }
}

/** basis ← matrixᵀ · (matrix · basis), a panel at a time, so that only one panel of the product ever exists. */
function* iterate(
  { product, forward, backward }: FitWork,
  basis: Panels,
  from: number,
  share: number,
): Generator<number> {
  const size = basis.rows * panelWidth
  for (let panel = 0; panel < basis.count; panel++) {
    const values = basis.values.subarray(panel * size, (panel + 1) * size)
    product.panel.set(values)
    for (const [row, end] of forward) {
      product.forward(row, end)
      yield from + (share * panel) / basis.count
    }
    for (const [row, end] of backward) {
      product.backward(row, end)
      yield from + (share * (panel + 0.5)) / basis.count
    }
    values.set(product.panel)
  }
}

type Slice = [from: number, to: number]

/** Ranges of rows with about one slice of work each. */
function slices({ rows, start }: SparseMatrix): Slice[] {
  const ranges: Slice[] = []
  for (let row = 0; row < rows; ) {
    let end = row + 1
    while (end < rows && start[end + 1]! - start[row]! <= entriesPerSlice) end++
    ranges.push([row, end])
    row = end
  }
  return ranges
}

const entriesPerSlice = 500_000

function* randomPanels(rows: number, dimension: number, seed: number): Generator<void, Panels> {
  const random = randomSource(seed)
  const count = Math.ceil(dimension / panelWidth)
  const values = new Float32Array(count * rows * panelWidth)
  for (let panel = 0, at = 0; panel < count; panel++) {
    // Columns beyond the dimension stay zero through every multiplication.
    const used = Math.min(panelWidth, dimension - panel * panelWidth)
    for (let row = 0; row < rows; row++, at += panelWidth) {
      for (let column = 0; column < used; column++) values[at + column] = random() * 2 - 1
    }
    yield
  }
  return { rows, count, values }
}

/** Runs a step that has no progress of its own. */
function* withProgress<T>(step: Generator<void, T>, progress: number): Generator<number, T> {
  for (;;) {
    const { done, value } = step.next()
    if (done) return value
    yield progress
  }
}

/** Size limit of a model's vocabulary. */
export const vocabularyLimit = 10_000

/**
 * The terms that get a vector: in at least two units and at most half of them, the most frequent ones if there are too
 * many. Returns their numbers in the code-unit order of their stems, so that a model does not depend on numbering.
 */
export function selectTerms(terms: readonly string[], documentFrequency: Int32Array, unitCount: number): Int32Array {
  const most = Math.floor(unitCount / 2)
  const unitsOf = (term: number) => {
    const frequency = documentFrequency[term]!
    return frequency >= 2 && frequency <= most && terms[term]!.length <= longestTerm ? frequency : 0
  }

  const termsWith = new Int32Array(most + 1)
  for (let term = 0; term < terms.length; term++) termsWith[unitsOf(term)]!++
  // Terms above the frequency `cut` are all taken; of those at it, the first by stem fill the rest.
  let cut = most
  let above = 0
  while (cut >= 2 && above + termsWith[cut]! <= vocabularyLimit) above += termsWith[cut--]!

  const chosen: number[] = []
  const tied: number[] = []
  for (let term = 0; term < terms.length; term++) {
    const frequency = unitsOf(term)
    if (frequency > cut && frequency > 0) chosen.push(term)
    else if (frequency === cut && cut >= 2) tied.push(term)
  }
  const byStem = (a: number, b: number) => (terms[a]! < terms[b]! ? -1 : terms[a]! > terms[b]! ? 1 : 0)
  tied.sort(byStem)
  return Int32Array.from([...chosen, ...tied.slice(0, vocabularyLimit - chosen.length)].sort(byStem))
}

// The longest term that a model's blob can store.
const longestTerm = 0xffff

/** Builds a model from the orthonormal basis of its space: each term's row in 8 bits per dimension. */
export function* quantiseTerms(
  basis: Panels,
  dimension: number,
  terms: string[],
  idf: Float32Array,
): Generator<void, LsaModel> {
  const vectors = new Int8Array(terms.length * dimension)
  const scales = new Float32Array(terms.length)
  const row = new Float64Array(basis.count * panelWidth)
  const print = fingerprint()
  for (let term = 0; term < terms.length; term++) {
    for (let panel = 0; panel < basis.count; panel++) {
      const from = (panel * basis.rows + term) * panelWidth
      for (let column = 0; column < panelWidth; column++)
        row[panel * panelWidth + column] = basis.values[from + column]!
    }
    let largest = 0
    for (let column = 0; column < dimension; column++) largest = Math.max(largest, Math.abs(row[column]!))
    if (largest > 0) scales[term] = largest / 127
    for (let column = 0; column < dimension; column++) {
      const value = largest > 0 ? Math.round((row[column]! / largest) * 127) : 0
      vectors[term * dimension + column] = value
      print.add(value)
    }
    for (let i = 0; i < terms[term]!.length; i++) print.add(terms[term]!.charCodeAt(i))
    if (term % 512 === 511) yield
  }
  for (const part of [idf, scales]) for (const word of new Int32Array(part.buffer)) print.add(word)
  return { id: `lsa-${dimension}-${print.text()}`, dimension, terms, idf, vectors, scales }
}

/** Two 32-bit hashes over everything that affects a score: enough to distinguish the models of one vault. */
function fingerprint(): { add(value: number): void; text(): string } {
  let first = 0x811c9dc5
  let second = 0x1b873593
  return {
    add(value) {
      first = Math.imul(first ^ value, 0x01000193)
      second = Math.imul((second << 5) ^ (second >>> 27) ^ value, 0x5bd1e995)
    },
    text: () => [first, second].map((sum) => (sum >>> 0).toString(16).padStart(8, '0')).join(''),
  }
}

/** Sample size of a fit. A sample this large shows no measurable loss. */
export const fitLimit = 10_000

/** With fewer units the model has no weight in the ranking, so none is fitted. */
export const smallestFit = 64

export interface FitAge {
  /** Units the model was fitted on, after sampling; 0 without a model. */
  fittedUnits: number
  /** Units the vault had at the last fit. */
  unitsAtFit: number
  addedOrRemovedSinceFit: number
  /** Units the vault has now. */
  units: number
}

/** True if the vault has outgrown its model. Until a new one is ready, new units get their vectors from the old one. */
export function shouldRefit({ fittedUnits, unitsAtFit, addedOrRemovedSinceFit, units }: FitAge): boolean {
  if (units < smallestFit) return false
  if (fittedUnits === 0) return true
  if (addedOrRemovedSinceFit > fittedUnits) return true
  // A new vault is refitted earlier, because its first notes are not representative.
  return [smallestFit, 256, 1024].some((threshold) => unitsAtFit < threshold && units >= threshold)
}

/** A uniform sample of at most `limit` numbers below `count`, ascending. */
export function sampleUnits(count: number, limit: number, seed = 1): Int32Array {
  const wanted = Math.min(count, limit)
  const sample = new Int32Array(wanted)
  const random = randomSource(seed)
  let taken = 0
  for (let unit = 0; taken < wanted; unit++) {
    if (random() * (count - unit) < wanted - taken) sample[taken++] = unit
  }
  return sample
}
