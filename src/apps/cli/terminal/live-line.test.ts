import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { drawBar, liveLine, progressBar, reflowsLines } from './live-line.js'
import { style } from './terminal.js'
import { textWidth } from './text-width.js'

/** A stream whose window can get another width. */
function window(columns: number) {
  const written: string[] = []
  const events = new EventEmitter()
  const stream = Object.assign(events, { isTTY: true, columns, write: (text: string) => written.push(text) })
  return {
    stream: stream as unknown as NodeJS.WriteStream,
    written,
    resizeTo(width: number) {
      stream.columns = width
      events.emit('resize')
    },
    listeners: () => events.listenerCount('resize'),
  }
}

describe('a line that is drawn again', () => {
  const fill = (columns: number) => 'x'.repeat(columns - 1)

  it('is drawn at the new width when the window becomes wider', () => {
    const { stream, written, resizeTo } = window(20)
    liveLine(stream, fill, true).draw()
    resizeTo(40)
    expect(written).toEqual([`\r\x1b[2K${fill(20)}`, `\r\x1b[2K${fill(40)}`])
  })

  it('removes all rows into which a narrower window has broken it', () => {
    const { stream, written, resizeTo } = window(90)
    liveLine(stream, fill, true).draw()
    resizeTo(40)
    expect(written.slice(1)).toEqual(['\x1b[2A\r\x1b[J', `\r\x1b[2K${fill(40)}`])
  })

  it('removes one row where the terminal cuts lines', () => {
    const { stream, written, resizeTo } = window(90)
    liveLine(stream, fill, false).draw()
    resizeTo(40)
    expect(written.slice(1)).toEqual([`\r\x1b[2K${fill(40)}`])
  })

  it('is not drawn again after it was removed, and leaves no listener', () => {
    const { stream, written, resizeTo, listeners } = window(90)
    const line = liveLine(stream, fill, true)
    line.draw()
    line.draw()
    expect(listeners()).toBe(1)
    line.clear()
    const before = written.length
    resizeTo(40)
    line.clear()
    expect(written).toHaveLength(before)
    expect(listeners()).toBe(0)
  })
})

it.each([
  [{ TERM: 'xterm-256color' }, true],
  [{ TERM: 'xterm-256color', XTERM_VERSION: 'XTerm(390)' }, false],
  [{ TERM: 'tmux-256color', XTERM_VERSION: 'XTerm(390)', TMUX: '/tmp/tmux' }, true],
  [{ TERM: 'linux' }, false],
])('knows whether a terminal breaks long lines: %o', (environment, reflows) => {
  expect(reflowsLines(environment)).toBe(reflows)
})

describe('the progress bar', () => {
  it('fits the line', () => {
    expect(drawBar('Reading notes', 500, 1000, 60, style(false))).toBe(`Reading notes  ${'━'.repeat(30)}  500 / 1,000`)
    expect(drawBar('Reading notes', 500, 1000, 30, style(false))).toBe('Reading notes 500 / 1,000')
    expect(drawBar('Reading notes', 0, 0, 80, style(false))).toBe('Reading notes')
    expect(drawBar('Building the semantic index', 500, 1000, 20, style(false))).toBe('Building the seman…')
  })

  it('is drawn at the width of the window as it is now', () => {
    const { stream, written, resizeTo } = window(80)
    const bar = progressBar(stream, style(false))
    bar.show({ phase: 'reading', done: 5, total: 10 })
    resizeTo(24)
    expect(textWidth((written.at(-1) ?? '').replace('\r\x1b[2K', ''))).toBeLessThan(24)
    bar.clear()
    expect(written.at(-1)).toBe('\r\x1b[2K')
  })
})
