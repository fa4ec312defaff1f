import { type ScannedNote, scanNote } from '../../markdown/index.js'
import type { NotePath } from '../../vault/index.js'
import type { Anchor } from './subpath.js'

/** A stretch of a restructured note: text of a note as it was, text in place of such, or new text. */
export interface Segment {
  text: string
  /** The text that this is, or that it replaces. */
  from?: { path: NotePath; start: number; end: number; isReplaced?: true }
  /** The removed note whose text begins here: links that embed it whole lead to the first heading from here on. */
  opens?: NotePath
  /** The text is a link to this note. */
  linkTo?: { path: NotePath; isEmbed: boolean }
}

/** A stretch of a note, unchanged except for these edits, which are in order. */
export function keptText(
  path: NotePath,
  text: string,
  { start = 0, end = text.length }: { start?: number; end?: number } = {},
  edits: readonly { start: number; end: number; text: string }[] = [],
): Segment[] {
  const segments: Segment[] = []
  const keep = (from: number, to: number) => {
    if (from < to) segments.push({ text: text.slice(from, to), from: { path, start: from, end: to } })
  }
  let done = start
  for (const edit of edits) {
    if (edit.start < done || edit.end > end) continue
    keep(done, edit.start)
    segments.push({ text: edit.text, from: { path, start: edit.start, end: edit.end, isReplaced: true } })
    done = edit.end
  }
  keep(done, end)
  return segments
}

/** A note as it shall be, before its links are updated. */
export interface NoteLayout {
  path: NotePath
  segments: readonly Segment[]
  /** Not a note of its own: text that the caller adds to the note at this path in another way, such as properties. */
  isApart?: boolean
}

/** A position in a restructured note. */
interface LaidOffset {
  layout: number
  offset: number
}

/** Where the text of the notes before is in the notes after. */
export class LayoutMap {
  readonly texts: readonly string[]
  readonly scans: readonly ScannedNote[]
  private readonly pieces: (LaidOffset & NonNullable<Segment['from']> & { length: number })[] = []
  private readonly openings = new Map<NotePath, LaidOffset>()

  constructor(readonly layouts: readonly NoteLayout[]) {
    this.texts = layouts.map(({ segments }) => segments.map(({ text }) => text).join(''))
    this.scans = this.texts.map(scanNote)
    for (const [layout, { segments }] of layouts.entries()) {
      let offset = 0
      for (const { text, from, opens } of segments) {
        if (opens !== undefined) this.openings.set(opens, { layout, offset })
        if (from !== undefined) this.pieces.push({ ...from, layout, offset, length: text.length })
        offset += text.length
      }
    }
  }

  /** True for a note whose text is rearranged. */
  has(path: NotePath): boolean {
    return this.pieces.some((piece) => piece.path === path)
  }

  /** The positions at which a character of a note is now: several if its text was copied. */
  placesOf(path: NotePath, offset: number): LaidOffset[] {
    return this.pieces
      .filter((piece) => piece.path === path && piece.start <= offset && offset < piece.end)
      .map((piece) => ({ layout: piece.layout, offset: piece.offset + Math.min(offset - piece.start, piece.length) }))
  }

  /** The character of a note that is at a position now; undefined for new text. */
  originOf(layout: number, offset: number): { path: NotePath; offset: number } | undefined {
    const piece = this.pieces.find(
      (each) => each.layout === layout && each.offset <= offset && offset < each.offset + each.length,
    )
    if (piece === undefined || piece.isReplaced) return undefined
    return { path: piece.path, offset: piece.start + offset - piece.offset }
  }

  /** The place of a heading or block, as its position in the outline of a restructured note. */
  anchorNow(path: NotePath, scan: ScannedNote, { kind, index }: Anchor): { layout: number; index: number } | undefined {
    const anchors = kind === 'heading' ? scan.headings : scan.blocks
    const start = anchors[index]?.start
    if (start === undefined) return undefined
    for (const { layout, offset } of this.placesOf(path, start)) {
      if (this.layouts[layout]?.isApart) continue
      const now = this.scans[layout]?.[kind === 'heading' ? 'headings' : 'blocks'] ?? []
      const found = now.findIndex((each) => each.start === offset)
      if (found >= 0) return { layout, index: found }
    }
    return undefined
  }

  /** The heading that opens the text of a removed note. */
  openingOf(path: NotePath): { layout: number; index: number } | undefined {
    const opening = this.openings.get(path)
    const headings = this.scans[opening?.layout ?? -1]?.headings ?? []
    const index = headings.findIndex(({ start }) => start >= (opening?.offset ?? 0))
    return opening === undefined || index < 0 ? undefined : { layout: opening.layout, index }
  }

  /**
   * The line of a note whose links, headings or block ids would be read differently where they are now, because of an
   * open code block, comment or table around them.
   */
  misread(path: NotePath, scan: ScannedNote): number | undefined {
    for (const kind of ['headings', 'blocks', 'links'] as const) {
      const starts = this.scans.map((now) => new Set(now[kind].map(({ start }) => start)))
      for (const { start, line } of scan[kind]) {
        const isLost = ({ layout, offset }: LaidOffset) =>
          this.originOf(layout, offset) !== undefined && !starts[layout]?.has(offset)
        if (this.placesOf(path, start).some(isLost)) return line
      }
    }
    return undefined
  }
}
