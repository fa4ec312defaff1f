/**
 * A reading step that pauses where the text ends and continues with the next piece; `undefined` is the end of the
 * reply.
 */
export type ParseGenerator<T> = Generator<void, T, string | undefined>

type Comparison = 'yes' | 'no' | 'cut'

const space = 32
const none = -1

/**
 * The reply as it arrives. Keeps only unread text and the text since a mark. Readers request more text with `yield*`,
 * so where the stream was cut cannot change the result.
 */
export class TextSource {
  window = ''
  at = 0
  ended = false
  /** Offset of the window in the whole reply. */
  private base = 0
  /** All text from the first mark to the end of the window, in pieces. */
  private kept: string[] = []
  private marks = 0

  /** How much of the reply has been read. */
  get offset(): number {
    return this.base + this.at
  }

  /** Waits until there is something to read; false at the end of the reply. */
  *fill(): ParseGenerator<boolean> {
    while (this.at >= this.window.length) {
      if (this.ended) return false
      this.append(yield)
    }
    return true
  }

  /** Waits until that many characters can be read; false if the reply ends before. */
  *need(count: number): ParseGenerator<boolean> {
    while (this.window.length - this.at < count) {
      if (this.ended) return false
      this.append(yield)
    }
    return true
  }

  /** The next character's code, or -1 at the end. */
  *peek(): ParseGenerator<number> {
    return (yield* this.fill()) ? this.window.charCodeAt(this.at) : none
  }

  /** Skips white space; returns the code of the next character, or -1 at the end. */
  *skipSpace(): ParseGenerator<number> {
    for (;;) {
      const { window } = this
      let at = this.at
      while (at < window.length) {
        const code = window.charCodeAt(at)
        if (code > space || !isSpace(code)) {
          this.at = at
          return code
        }
        at++
      }
      this.at = at
      if (this.ended) return none
      this.append(yield)
    }
  }

  /** True if this text comes next. Waits no longer than necessary. */
  *sees(text: string, ignoreCase = false): ParseGenerator<boolean> {
    return (yield* this.compare(text, ignoreCase)) === 'yes'
  }

  /** `cut` if the reply ends in the middle of this text. */
  *compare(text: string, ignoreCase = false): ParseGenerator<Comparison> {
    for (;;) {
      const known = this.compareNow(text, ignoreCase)
      if (known !== 'unknown') return known
      this.append(yield)
    }
  }

  /** The same without waiting: `unknown` while more text could complete it. For hot loops. */
  compareNow(text: string, ignoreCase = false): Comparison | 'unknown' {
    const { window, at } = this
    const length = Math.min(text.length, window.length - at)
    for (let index = 0; index < length; index++) {
      const found = window.charCodeAt(at + index)
      const wanted = text.charCodeAt(index)
      if (found !== wanted && !(ignoreCase && foldedCode(found) === foldedCode(wanted))) return 'no'
    }
    if (length === text.length) return 'yes'
    if (!this.ended) return 'unknown'
    return length === 0 ? 'no' : 'cut'
  }

  *take(text: string, ignoreCase = false): ParseGenerator<boolean> {
    if (!(yield* this.sees(text, ignoreCase))) return false
    this.at += text.length
    return true
  }

  /** Marks this position, so that reading can return to it. Every mark is released or rewound, the last one first. */
  mark(): number {
    if (this.marks++ === 0) this.kept = [this.window]
    return this.offset
  }

  release(): void {
    if (--this.marks === 0) this.kept = []
  }

  rewind(mark: number): void {
    if (mark < this.base) {
      this.window = this.keptFrom(mark)
      this.base = mark
    }
    this.at = mark - this.base
    this.release()
  }

  /** Text from a mark up to here. */
  since(mark: number): string {
    if (mark >= this.base) return this.window.slice(mark - this.base, this.at)
    return this.keptFrom(mark).slice(0, this.offset - mark)
  }

  private append(piece: string | undefined): void {
    if (piece === undefined) {
      this.ended = true
      return
    }
    if (this.marks > 0) this.kept.push(piece)
    this.base += this.at
    this.window = this.at === this.window.length ? piece : this.window.slice(this.at) + piece
    this.at = 0
  }

  /** The kept text from there on. Joins only as many pieces as necessary. */
  private keptFrom(mark: number): string {
    const length = this.base + this.window.length - mark
    const pieces: string[] = []
    for (let missing = length; missing > 0; ) {
      // The kept pieces reach back to every mark.
      const piece = this.kept.pop()!
      pieces.push(piece)
      missing -= piece.length
    }
    const text = pieces.reverse().join('')
    this.kept.push(text)
    return text.slice(text.length - length)
  }
}

export function isSpace(code: number): boolean {
  return code === space || code === 10 || code === 13 || code === 9
}

/** Lower-cases ASCII letters: no tag has others. */
const foldedCode = (code: number): number => (code >= 65 && code <= 90 ? code + 32 : code)

/** Reads a complete text. */
export function parseWhole<T>(text: string, read: (source: TextSource) => ParseGenerator<T>): T {
  const source = new TextSource()
  source.window = text
  source.ended = true
  const step = read(source).next()
  if (!step.done) throw new Error('A reader asked for more than the whole text')
  return step.value
}
