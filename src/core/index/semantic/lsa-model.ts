import { IndexCorrupt } from '../index-store.js'

// `!` is used on arrays with one entry for each term, at numbers of terms.

/**
 * Latent semantic analysis of one vault: a direction for every term it was fitted on. The direction of term t is
 * `vectors[t * dimension …] * scales[t]`.
 */
export interface LsaModel {
  /** Derived from the contents: equal ids mean equal models. */
  readonly id: string
  readonly dimension: number
  /** Stems in code-unit order. Their positions are the model's term numbers. */
  readonly terms: TermList
  readonly idf: Float32Array
  readonly vectors: Int8Array
  readonly scales: Float32Array
}

/** A lazily decoded list of terms: a query reads only a few of thousands. */
interface TermList extends Iterable<string> {
  readonly length: number
  at(term: number): string | undefined
}

/** The model's number of a stem, or -1. */
export function lookupTerm({ terms }: LsaModel, stem: string): number {
  // Binary search: building a hash table would cost more at a cold start than a query saves.
  let low = 0
  let high = terms.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((terms.at(middle) as string) < stem) low = middle + 1
    else high = middle
  }
  return terms.at(low) === stem ? low : -1
}

/** Encodes a model as one blob. `decodeModel` returns exactly the same model. */
export function encodeModel(model: LsaModel): Uint8Array {
  const { id, dimension, idf, vectors, scales } = model
  const terms = [...model.terms]
  const text = terms.join('')
  const layout = layoutOf(id.length, dimension, terms.length, text.length)
  const bytes = new Uint8Array(layout.end)
  const { buffer } = bytes
  new Uint32Array(buffer, 0, headerWords).set([magic, version, dimension, terms.length, id.length, text.length])
  new Float32Array(buffer, layout.idf, terms.length).set(idf)
  new Float32Array(buffer, layout.scales, terms.length).set(scales)
  new Uint16Array(buffer, layout.lengths, terms.length).set(terms.map((term) => term.length))
  writeText(id, new Uint16Array(buffer, layout.id, id.length))
  writeText(text, new Uint16Array(buffer, layout.text, text.length))
  new Int8Array(buffer, layout.vectors, vectors.length).set(vectors)
  return bytes
}

/** Opens a blob of `encodeModel` without copying it. Throws IndexCorrupt if it is damaged. */
export function decodeModel(bytes: Uint8Array): LsaModel {
  // Typed arrays need an aligned start, and a store may pass a slice of a larger buffer.
  const { buffer, byteOffset, length } = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice()
  if (length < headerWords * 4) throw new IndexCorrupt('A semantic model is cut short.')
  const header = new Uint32Array(buffer, byteOffset, headerWords)
  const [mark, format, dimension, termCount, idLength, textLength] = header as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  if (mark !== magic || format !== version) throw new IndexCorrupt('This is not a semantic model of this version.')
  const layout = layoutOf(idLength, dimension, termCount, textLength)
  if (dimension < 1 || layout.end !== length) throw new IndexCorrupt('A semantic model has the wrong size.')

  return {
    id: readText(new Uint16Array(buffer, byteOffset + layout.id, idLength)),
    dimension,
    terms: termList(
      new Uint16Array(buffer, byteOffset + layout.text, textLength),
      new Uint16Array(buffer, byteOffset + layout.lengths, termCount),
    ),
    idf: new Float32Array(buffer, byteOffset + layout.idf, termCount),
    vectors: new Int8Array(buffer, byteOffset + layout.vectors, termCount * dimension),
    scales: new Float32Array(buffer, byteOffset + layout.scales, termCount),
  }
}

// Blobs are little-endian, like all supported hosts. Text is stored as code units, because a stem need not be well-
// formed Unicode.
const magic = 0x4c43_574e
const version = 1
const headerWords = 6

function layoutOf(idLength: number, dimension: number, termCount: number, textLength: number) {
  const idf = headerWords * 4
  const scales = idf + termCount * 4
  const lengths = scales + termCount * 4
  const id = lengths + termCount * 2
  const text = id + idLength * 2
  const vectors = text + textLength * 2
  return { idf, scales, lengths, id, text, vectors, end: vectors + termCount * dimension }
}

/** Decodes terms on demand: decoding all takes longer than a search. */
function termList(text: Uint16Array, lengths: Uint16Array): TermList {
  const { length } = lengths
  const ends = new Uint32Array(length)
  let end = 0
  for (let term = 0; term < length; term++) ends[term] = end += lengths[term]!
  if (end !== text.length) throw new IndexCorrupt('A semantic model has the wrong words.')
  const known = new Array<string | undefined>(length)
  const at = (term: number): string | undefined => {
    if (term >= length) return undefined
    return (known[term] ??= readText(text.subarray(ends[term]! - lengths[term]!, ends[term])))
  }
  return {
    length,
    at,
    *[Symbol.iterator]() {
      for (let term = 0; term < length; term++) yield at(term) as string
    },
  }
}

function writeText(text: string, units: Uint16Array): void {
  for (let i = 0; i < text.length; i++) units[i] = text.charCodeAt(i)
}

function readText(units: Uint16Array): string {
  let text = ''
  // In chunks, because the number of call arguments is limited.
  for (let at = 0; at < units.length; at += 4096)
    text += String.fromCharCode.apply(null, units.subarray(at, at + 4096) as unknown as number[])
  return text
}
