import type { BlockId, Heading, NoteLink, Region, RegionKind, Tag, Task } from '../scanned-note.js'

/** The results of a scan so far, and the offsets of its lines. */
export class Findings {
  readonly headings: Heading[] = []
  readonly links: NoteLink[] = []
  readonly tags: Tag[] = []
  readonly blocks: BlockId[] = []
  readonly tasks: Task[] = []
  readonly regions: Region[] = []
  /** Offset of an open `%%`, or -1. */
  commentStart = -1
  private starts: Int32Array<ArrayBuffer>
  private lines = 0
  private commentEnd = 0

  constructor(readonly text: string) {
    this.starts = new Int32Array(Math.max(16, text.length >> 5))
  }

  addLine(start: number): void {
    if (this.lines === this.starts.length) {
      const grown = new Int32Array(this.lines * 2)
      grown.set(this.starts)
      this.starts = grown
    }
    this.starts[this.lines++] = start
  }

  addRegion(kind: RegionKind, start: number, end: number): void {
    this.regions.push({ kind, start, end })
  }

  /** Offset after the first `-->` at or after `from`, or Infinity. Cached: for increasing offsets it takes one pass in total. */
  htmlCommentEnd(from: number): number {
    if (this.commentEnd < from + 3) {
      const close = this.text.indexOf('-->', from)
      this.commentEnd = close < 0 ? Number.POSITIVE_INFINITY : close + 3
    }
    return this.commentEnd
  }

  /** 1-based line of an offset, among the lines added so far. */
  lineOf(offset: number): number {
    const { starts } = this
    let low = 0
    let high = this.lines
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return low + 1
  }

  /** Empty text has one line too. */
  lineStarts(): Int32Array {
    return this.starts.slice(0, Math.max(1, this.lines))
  }
}
