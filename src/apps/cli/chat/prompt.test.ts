import { EventEmitter } from 'node:events'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { notePath } from '../../../core/vault/index.js'
import { cleanText, type Key, type Keyboard, readKey } from '../terminal/keyboard.js'
import { style } from '../terminal/terminal.js'
import { textWidth } from '../terminal/text-width.js'
import { type Buffer, bufferOf, characters, edit, moveLine } from './edit-buffer.js'
import {
  layoutPrompt,
  type PromptOptions,
  type PromptResult,
  promptHistory,
  promptUser,
  statusLines,
  suggestNotes,
} from './prompt.js'

const key = (name: string, more: Partial<Key> = {}): Key => ({ name, text: '', ctrl: false, alt: false, ...more })
const text = (written: string): Key => key('', { text: written })
const ctrl = (name: string) => key(name, { ctrl: true })
const press = (buffer: Buffer, ...keys: Key[]) => keys.reduce((now, one) => edit(now, one) ?? now, buffer)
const marked = ({ text: written, cursor }: Buffer) => `${written.slice(0, cursor)}|${written.slice(cursor)}`

describe('editing', () => {
  it('moves and deletes by characters as a user sees them', () => {
    const buffer = bufferOf('née 👩‍🌾')
    expect(marked(press(buffer, key('left')))).toBe('née |👩‍🌾')
    expect(marked(press(buffer, key('backspace')))).toBe('née |')
    expect(marked(press(buffer, key('backspace'), key('backspace'), key('backspace')))).toBe('né|')
  })

  it('knows words and lines', () => {
    const buffer = bufferOf('one two\nthree four')
    expect(marked(press(buffer, ctrl('w')))).toBe('one two\nthree |')
    expect(marked(press(buffer, ctrl('a'), key('delete')))).toBe('one two\n|hree four')
    expect(marked(press(buffer, ctrl('u')))).toBe('one two\n|')
    expect(marked(press(buffer, ctrl('u'), key('backspace'), ctrl('a'), ctrl('k')))).toBe('|')
    expect(marked(moveLine(buffer, -1)!)).toBe('one two|\nthree four')
    expect(moveLine({ text: 'one', cursor: 1 }, -1)).toBeUndefined()
  })

  it('keeps the cursor between whole characters, whatever is pressed', () => {
    const names = ['left', 'right', 'up', 'down', 'backspace', 'delete', 'home', 'end', 'newline']
    const anyKey = fc.oneof(
      fc.constantFrom(...names).map((name) => key(name)),
      fc.constantFrom('a', 'e', 'u', 'k', 'w', 'b', 'f', 'd', 'left', 'right').map(ctrl),
      fc.constantFrom('x', ' ', 'é', 'e\u0301', '👩‍🌾', '汉', '🇩🇪').map(text),
    )
    fc.assert(
      fc.property(fc.array(anyKey, { maxLength: 60 }), (keys) => {
        let buffer = bufferOf('')
        for (const one of keys) {
          const isVertical = one.name === 'up' || one.name === 'down'
          buffer = (isVertical ? moveLine(buffer, one.name === 'up' ? -1 : 1) : edit(buffer, one)) ?? buffer
          expect(buffer.cursor).toBeGreaterThanOrEqual(0)
          expect(buffer.cursor).toBeLessThanOrEqual(buffer.text.length)
        }
        const { text: all, cursor } = buffer
        // Half of a surrogate pair cannot be encoded.
        expect(() => encodeURIComponent(all.slice(0, cursor))).not.toThrow()
      }),
    )
  })
})

describe('laying out', () => {
  it('breaks rows before the last column and says where the cursor is', () => {
    expect(layoutPrompt({ text: 'abcdefgh', cursor: 8 }, '› ', 8)).toEqual({
      rows: ['› abcde', '  fgh'],
      row: 1,
      column: 5,
    })
    expect(layoutPrompt({ text: 'ab\ncd', cursor: 2 }, '› ', 20)).toEqual({ rows: ['› ab', '  cd'], row: 0, column: 4 })
  })

  it('never fills a row and loses no character', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 200 }),
        fc.integer({ min: 10, max: 60 }),
        fc.nat(),
        (raw, width, at) => {
          const written = cleanText(raw).replaceAll('\t', ' ')
          const offsets = [0]
          for (const character of characters(written)) offsets.push(offsets.at(-1)! + character.length)
          const { rows, row, column } = layoutPrompt(
            { text: written, cursor: offsets[at % offsets.length] },
            '› ',
            width,
          )
          expect(rows.map((line) => line.slice(2)).join('')).toBe(written.replaceAll('\n', ''))
          expect(Math.max(...rows.map(textWidth))).toBeLessThan(
            Math.max(width, 2 + Math.max(0, ...characters(written).map(textWidth)) + 1),
          )
          expect(row).toBeLessThan(rows.length)
          expect(column).toBeLessThanOrEqual(textWidth(rows[row]))
        },
      ),
    )
  })
})

describe('keys', () => {
  it('differ: Enter sends, Alt+Enter and Shift+Enter begin a line', () => {
    expect(readKey('\r', { sequence: '\r', name: 'return' })).toMatchObject({ name: 'return' })
    expect(readKey('\r', { sequence: '\x1b\r', name: 'return', meta: true })).toMatchObject({ name: 'newline' })
    expect(readKey(undefined, { sequence: '\x1b[13;2u' })).toMatchObject({ name: 'newline' })
    expect(readKey(undefined, { sequence: '\x1b[Z', name: 'tab', shift: true })).toMatchObject({ name: 'backtab' })
    expect(readKey('é', { sequence: 'é' })).toMatchObject({ text: 'é' })
    expect(readKey(undefined, { sequence: '\x1b[99~' })).toMatchObject({ text: '' })
  })

  it('paste no escape sequence', () => {
    expect(cleanText('a\r\nb\x1b[31mc\x07\td')).toBe('a\nb[31mc\td')
  })
})

/** A keyboard and a screen that record events. */
function desk() {
  const listeners: ((key: Key) => void)[] = []
  const keys: Keyboard = {
    listen(listener) {
      listeners.push(listener)
      return () => void listeners.splice(listeners.indexOf(listener), 1)
    },
    aside: (work) => work(),
    close: () => {},
  }
  const screen = Object.assign(new EventEmitter(), {
    columns: 40,
    rows: 10,
    write: (drawn: string) => void (shown += drawn),
  })
  let shown = ''
  const read = (options: Partial<PromptOptions> = {}): Promise<PromptResult> =>
    promptUser(keys, screen as never, { mark: '› ', style: style(false), isMultiline: true, ...options })
  return { read, type: (...typed: Key[]) => typed.forEach((one) => void listeners.at(-1)?.(one)), shown: () => shown }
}

describe('the prompt', () => {
  it('takes several lines, also with a backslash at the end', async () => {
    const { read, type } = desk()
    const typed = read()
    type(
      text('one\\'),
      key('return'),
      text('two'),
      key('newline'),
      key('paste', { text: 'three\nfour' }),
      key('return'),
    )
    expect(await typed).toEqual({ kind: 'text', text: 'one\ntwo\nthree\nfour' })
  })

  it('goes through earlier inputs and returns to the unfinished one', async () => {
    const { read, type } = desk()
    const typed = read({ history: ['first', 'second'] })
    type(text('dra'), key('up'), key('up'), key('up'), key('down'), key('down'), text('ft'), key('return'))
    expect(await typed).toMatchObject({ text: 'draft' })
    const again = read({ history: ['first', 'second'] })
    type(key('up'), key('up'), key('return'))
    expect(await again).toMatchObject({ text: 'first' })
  })

  it('suggests notes after an @ and inserts the chosen one', async () => {
    const paths = ['Garden/Tomatoes.md', 'Kitchen/Tomato soup.md', 'a/Beans.md', 'b/Beans.md', 'x.png'].map((path) =>
      notePath(path),
    )
    const { read, type, shown } = desk()
    const typed = read({ suggest: (buffer) => suggestNotes(buffer, paths) })
    type(text('sum up @tom'))
    expect(shown()).toContain('› Tomatoes')
    type(key('down'), key('tab'), text('and @[[bea'), key('tab'), key('return'))
    expect(await typed).toMatchObject({ text: 'sum up @[[Tomato soup]] and @[[a/Beans]] ' })
    expect(suggestNotes(bufferOf('ada@tom'), paths)).toBeUndefined()
  })

  it('ends by Ctrl-C, Esc, Ctrl-D and when the question is void', async () => {
    const { read, type } = desk()
    for (const [pressed, kind] of [
      [ctrl('c'), 'interrupt'],
      [key('escape'), 'escape'],
      [ctrl('d'), 'end'],
    ] as const) {
      const typed = read()
      type(pressed)
      expect(await typed).toEqual({ kind, text: '' })
    }
    const stop = new AbortController()
    const typed = read({ signal: stop.signal })
    stop.abort()
    expect(await typed).toEqual({ kind: 'end', text: '' })
  })

  it('draws within the screen however much is written', async () => {
    const { read, type, shown } = desk()
    const typed = read()
    type(key('paste', { text: 'line\n'.repeat(100) }))
    expect(shown().split('\x1b[J').at(-1)!.split('\n').length).toBeLessThanOrEqual(10)
    type(key('return'))
    expect((await typed).text.match(/line/g)).toHaveLength(100)
  })
})

describe('the history', () => {
  it('is kept for its owner alone, survives damage, and repeats nothing', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'notewright-history-'))
    try {
      const history = await promptHistory(folder)
      for (const entry of ['one', 'one', 'two\nlines', ' ']) await history.add(entry)
      const file = join(folder, 'chat-history.jsonl')
      expect((await stat(file)).mode & 0o777).toBe(0o600)
      expect(await readFile(file, 'utf8')).toBe('"one"\n"two\\nlines"\n')
      const { appendFile } = await import('node:fs/promises')
      await appendFile(file, '{"not": "a string"}\n"cut off')
      expect((await promptHistory(folder)).entries).toEqual(['one', 'two\nlines'])
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

describe('a long text in a narrow window', () => {
  const rowsOf = (written: string, width: number) => layoutPrompt(bufferOf(written), '› ', width).rows

  it('breaks at words, and inside a word only where it is longer than a row', () => {
    expect(rowsOf('when to sow the winter garlic', 16)).toEqual(['› when to sow ', '  the winter ', '  garlic'])
    expect(rowsOf('a https://example.org/very/long', 16)).toEqual(['› a https://exa', '  mple.org/very', '  /long'])
  })

  it('has the lines above it set between their parts', () => {
    expect(statusLines('compatible/test · chat · consent: ask (Shift+Tab) · context 51% of 8.2k', 29)).toEqual([
      'compatible/test · chat',
      'consent: ask (Shift+Tab)',
      'context 51% of 8.2k',
    ])
  })
})
