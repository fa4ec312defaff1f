// `!` is used on bytes that a writer of this file has written; its reader knows how many numbers there are.

/** A growing byte array of numbers below 2^32 as varints: seven bits per byte. */
export class VarintWriter {
  bytes: Uint8Array<ArrayBuffer>
  length = 0

  constructor(capacity = 1 << 16) {
    this.bytes = new Uint8Array(capacity)
  }

  push(value: number): void {
    if (this.length + 5 > this.bytes.length) this.grow()
    const { bytes } = this
    let rest = value
    while (rest > 127) {
      bytes[this.length++] = (rest & 127) | 128
      rest >>>= 7
    }
    bytes[this.length++] = rest
  }

  private grow(): void {
    const larger = new Uint8Array(Math.ceil(this.bytes.length * 1.5) + 8)
    larger.set(this.bytes)
    this.bytes = larger
  }
}

/** Reads varints from `at` on. */
export class VarintReader {
  constructor(
    readonly bytes: Uint8Array,
    public at: number,
  ) {}

  next(): number {
    const { bytes } = this
    let byte = bytes[this.at++]!
    if (byte < 128) return byte
    let value = byte & 127
    for (let shift = 7; shift < 35; shift += 7) {
      byte = bytes[this.at++]!
      value |= (byte & 127) << shift
      if (byte < 128) break
    }
    return value >>> 0
  }
}

export function varintSize(value: number): number {
  return value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x200000 ? 3 : value < 0x10000000 ? 4 : 5
}

/** Writes at `at` and returns the position after it. The caller provides the space. */
export function writeVarint(bytes: Uint8Array, at: number, value: number): number {
  let place = at
  let rest = value
  while (rest > 127) {
    bytes[place++] = (rest & 127) | 128
    rest >>>= 7
  }
  bytes[place++] = rest
  return place
}
