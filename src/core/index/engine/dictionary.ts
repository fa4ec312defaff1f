import { hashWord } from './words.js'

// `!` is used on slots of a table, whose numbers are masked by its size, and on offsets of words that were added.

/** A growing dictionary of byte strings, numbered in order of first appearance. */
export class Interner {
  bytes = new Uint8Array(1 << 16)
  /** Entry i is `bytes[offsets[i] … offsets[i + 1]]`. */
  offsets = new Uint32Array(1 << 12)
  count = 0
  /** Hash and number + 1 of each entry side by side, for cache locality. */
  private table = new Int32Array(1 << 14)

  /** Returns the number of these bytes, adding them if they are new. `hash` is `hashBytes` of them. */
  intern(source: Uint8Array, from: number, length: number, hash: number): number {
    const { table, offsets, bytes } = this
    const mask = table.length - 2
    let slot = (hash * 2) & mask
    for (let entry = table[slot + 1]!; entry !== 0; entry = table[slot + 1]!) {
      if (table[slot] === hash) {
        let start = offsets[entry - 1]!
        if (offsets[entry]! - start === length) {
          let at = from
          const end = from + length
          while (at < end && bytes[start] === source[at]) {
            start++
            at++
          }
          if (at === end) return entry - 1
        }
      }
      slot = (slot + 2) & mask
    }
    return this.add(source, from, length, hash, slot)
  }

  private add(source: Uint8Array, from: number, length: number, hash: number, slot: number): number {
    const number = this.count++
    const start = this.offsets[number]!
    if (start + length > this.bytes.length) {
      const larger = new Uint8Array(Math.max(this.bytes.length * 2, start + length))
      larger.set(this.bytes)
      this.bytes = larger
    }
    for (let at = 0; at < length; at++) this.bytes[start + at] = source[from + at]!
    if (number + 2 > this.offsets.length) {
      const larger = new Uint32Array(this.offsets.length * 2)
      larger.set(this.offsets)
      this.offsets = larger
    }
    this.offsets[number + 1] = start + length
    this.table[slot] = hash
    this.table[slot + 1] = number + 1
    if (this.count * 4 > this.table.length) this.rehash()
    return number
  }

  /** Removes all entries and keeps the memory. */
  clear(): void {
    this.count = 0
    this.table.fill(0)
  }

  private rehash(): void {
    const old = this.table
    const table = new Int32Array(old.length * 2)
    const mask = table.length - 2
    for (let from = 0; from < old.length; from += 2) {
      if (old[from + 1] === 0) continue
      let slot = (old[from]! * 2) & mask
      while (table[slot + 1] !== 0) slot = (slot + 2) & mask
      table[slot] = old[from]!
      table[slot + 1] = old[from + 1]!
    }
    this.table = table
  }

  entry(number: number): Uint8Array {
    return this.bytes.subarray(this.offsets[number], this.offsets[number + 1])
  }
}

/** A copy of the entries of an `Interner`. */
export interface DictionaryEntries {
  bytes: Uint8Array
  offsets: Uint32Array
  count: number
}

/** The hash table that `findEntry` reads. `size` is a power of two. */
export function hashTable(hashes: Int32Array, count: number, size: number): Int32Array<ArrayBuffer> {
  const table = new Int32Array(size)
  for (let number = 0; number < count; number++) {
    let slot = hashes[number]! & (size - 1)
    while (table[slot] !== 0) slot = (slot + 1) & (size - 1)
    table[slot] = number + 1
  }
  return table
}

export function tableSize(count: number): number {
  let size = 2
  while (size < count * 1.5) size *= 2
  return size
}

/** The words or stems of an opened segment, read in place. */
export interface Dictionary {
  bytes: Uint8Array
  offsets: Uint32Array
  table: Int32Array
}

/** The number of an entry, or -1. */
export function findEntry({ bytes, offsets, table }: Dictionary, wanted: Uint8Array): number {
  const mask = table.length - 1
  let slot = hashWord(wanted, 0, wanted.length) & mask
  for (let entry = table[slot]!; entry !== 0; entry = table[slot]!) {
    const start = offsets[entry - 1]!
    if (offsets[entry]! - start === wanted.length) {
      let at = 0
      while (at < wanted.length && bytes[start + at] === wanted[at]) at++
      if (at === wanted.length) return entry - 1
    }
    slot = (slot + 1) & mask
  }
  return -1
}
