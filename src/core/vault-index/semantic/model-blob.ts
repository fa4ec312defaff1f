import { IndexCorrupt } from '../index-store.js'
import type { LsaModel, TermList } from './lsa-model.js'

/** A model as one blob. `decodeModel` gives back exactly the same model. */
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

/** Reads a blob of `encodeModel`, looking into it rather than copying. Throws IndexCorrupt when it is not one. */
export function decodeModel(bytes: Uint8Array): LsaModel {
  // Views of four-byte numbers need an aligned start; a store may hand out a slice of something larger.
  const { buffer, byteOffset, length } = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice()
  if (length < headerWords * 4) throw new IndexCorrupt('A semantic model is cut short.')
  const header = new Uint32Array(buffer, byteOffset, headerWords)
  const [mark, format, dimension, termCount, idLength, textLength] = header
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

// Blobs are little-endian, as every host is. Text is kept as code units: a stem need not be well-formed Unicode.
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

/** Reads a term when it is asked for: making strings of all of them takes longer than a search. */
function termList(text: Uint16Array, lengths: Uint16Array): TermList {
  const { length } = lengths
  const ends = new Uint32Array(length)
  let end = 0
  for (let term = 0; term < length; term++) ends[term] = end += lengths[term]
  if (end !== text.length) throw new IndexCorrupt('A semantic model has the wrong words.')
  const known = new Array<string | undefined>(length)
  const at = (term: number): string | undefined => {
    if (term >= length) return undefined
    return (known[term] ??= readText(text.subarray(ends[term] - lengths[term], ends[term])))
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
  // In pieces: a call takes only so many arguments.
  for (let at = 0; at < units.length; at += 4096)
    text += String.fromCharCode.apply(null, units.subarray(at, at + 4096) as unknown as number[])
  return text
}
