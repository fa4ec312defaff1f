import type { IndexProgress } from '../../../core/index/index.js'
import type { Style } from './terminal.js'
import { cutToWidth, paintedWidth } from './text-width.js'

/** A line at the bottom of the screen that is drawn again and again. It is removed before anything else is written. */
export interface LiveLine {
  /** Draws the line as `lineFor` makes it for the width of now. */
  draw(): void
  clear(): void
}

/** Draws again as soon as the window gets another size. */
export function liveLine(
  stream: NodeJS.WriteStream,
  lineFor: (columns: number) => string,
  reflows = reflowsLines(process.env),
): LiveLine {
  let drawn: number | undefined

  function draw(): void {
    if (drawn === undefined) stream.on('resize', resize)
    const line = lineFor(stream.columns || 80)
    drawn = paintedWidth(line)
    stream.write(`\r\x1b[2K${line}`)
  }

  /** A terminal that became narrower has broken the line into rows, and the cursor is in the last one. */
  function resize(): void {
    if (drawn === undefined) return
    const rows = reflows ? Math.ceil(drawn / (stream.columns || 80)) : 1
    if (rows > 1) stream.write(`\x1b[${rows - 1}A\r\x1b[J`)
    draw()
  }

  return {
    draw,
    clear() {
      if (drawn === undefined) return
      stream.off('resize', resize)
      drawn = undefined
      stream.write('\r\x1b[2K')
    },
  }
}

/** xterm and the consoles of Linux and Windows cut lines that no longer fit. All others break them into rows. */
export const reflowsLines = ({ TERM, XTERM_VERSION, TMUX }: Record<string, string | undefined>): boolean =>
  TERM !== 'linux' && (XTERM_VERSION === undefined || TMUX !== undefined)

export interface ProgressBar {
  show(progress: IndexProgress): void
  /** Takes the bar off the screen. */
  clear(): void
}

const phases: Record<IndexProgress['phase'], string> = {
  listing: 'Listing files',
  reading: 'Reading notes',
  vectors: 'Building the semantic index',
  merging: 'Optimizing the index',
  embedding: 'Computing embeddings',
}

/** A progress line, redrawn at most every 80 ms and removed when the work is done. */
export function progressBar(stream: NodeJS.WriteStream, style: Style): ProgressBar {
  let drawnAt = 0
  let now: IndexProgress = { phase: 'listing', done: 0, total: 0 }
  const line = liveLine(stream, (columns) => drawBar(phases[now.phase], now.done, now.total, columns, style))
  return {
    show(progress) {
      now = progress
      const time = Date.now()
      if (time - drawnAt < 80) return
      drawnAt = time
      line.draw()
    },
    clear: () => line.clear(),
  }
}

export function drawBar(label: string, done: number, total: number, width: number, style: Style): string {
  const counts = total > 0 ? `${done.toLocaleString('en')} / ${total.toLocaleString('en')}` : ''
  const room = Math.min(30, width - label.length - counts.length - 5)
  if (total <= 0 || room < 5) return cutToWidth(`${label} ${counts}`.trimEnd(), width - 1)
  const filled = Math.round((Math.min(done, total) / total) * room)
  return `${label}  ${style.good('━'.repeat(filled))}${style.faint('━'.repeat(room - filled))}  ${counts}`
}
