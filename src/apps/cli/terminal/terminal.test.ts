import { EventEmitter } from 'node:events'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { confirm, jsonLine, terminal, terminalText, visibleLine } from './terminal.js'

function sink(isTTY: boolean, columns?: number) {
  const written: string[] = []
  const stream = Object.assign(new EventEmitter(), { isTTY, columns, write: (text: string) => written.push(text) })
  return { stream: stream as unknown as NodeJS.WriteStream, text: () => written.join('') }
}

function open(isTTY: boolean, options = {}, environment: Record<string, string> = {}) {
  const [output, messages] = [sink(isTTY, 100), sink(isTTY)]
  const input = { isTTY } as NodeJS.ReadStream
  const made = terminal(
    { input, output: output.stream, messages: messages.stream, environment },
    { json: false, verbose: false, color: 'auto', ...options },
  )
  return { made, output, messages }
}

describe('colours', () => {
  const isColored = (...of: Parameters<typeof open>) => open(...of).made.style.bad('x') !== 'x'

  it('are used on a terminal and never in a pipe', () => {
    expect(isColored(true)).toBe(true)
    expect(isColored(false)).toBe(false)
  })

  it('are off when the user says so, in any of the usual ways', () => {
    expect(isColored(true, { color: 'never' })).toBe(false)
    expect(isColored(true, {}, { NO_COLOR: '1' })).toBe(false)
    expect(isColored(true, {}, { TERM: 'dumb' })).toBe(false)
    expect(isColored(true, {}, { NO_COLOR: '' })).toBe(true)
  })

  it('follow the configuration, but not against the flag', () => {
    const { made } = open(false)
    made.useColor('always')
    expect(made.style.bad('x')).toBe('\x1b[31mx\x1b[39m')
    const flagged = open(true, { color: 'never' }).made
    flagged.useColor('always')
    expect(flagged.style.bad('x')).toBe('x')
  })
})

describe('links', () => {
  const link = (...of: Parameters<typeof open>) => open(...of).made.link('Plan.md', 'obsidian://open?file=Plan.md')
  const linked = '\x1b]8;;obsidian://open?file=Plan.md\x1b\\Plan.md\x1b]8;;\x1b\\'

  it('are made where the terminal is known to open them', () => {
    for (const environment of [
      { TERM_PROGRAM: 'WezTerm' },
      { TERM: 'xterm-kitty' },
      { VTE_VERSION: '7006' },
      { WT_SESSION: 'x' },
      { TERM_PROGRAM: 'tmux', TERM_PROGRAM_VERSION: '3.4' },
      { FORCE_HYPERLINK: '1' },
    ]) {
      expect(link(true, {}, environment as never)).toBe(linked)
    }
  })

  it('are text everywhere else: piped, without colour, and in other terminals', () => {
    expect(link(false, {}, { TERM_PROGRAM: 'WezTerm', FORCE_HYPERLINK: '1' })).toBe('Plan.md')
    expect(link(true, {}, { TERM_PROGRAM: 'WezTerm', NO_COLOR: '1' })).toBe('Plan.md')
    expect(link(true, {}, { TERM: 'xterm-256color' })).toBe('Plan.md')
    expect(link(true, {}, { TERM_PROGRAM: 'tmux', TERM_PROGRAM_VERSION: '3.3a' })).toBe('Plan.md')
    expect(link(true, {}, { TERM_PROGRAM: 'WezTerm', FORCE_HYPERLINK: '0' })).toBe('Plan.md')
  })

  it('never contain an address that could end the sequence', () => {
    const { made } = open(true, {}, { FORCE_HYPERLINK: '1' })
    expect(made.link('x', 'file:///a\x1b\\b')).toBe('x')
    expect(made.link('x', 'file:///a b')).toBe('x')
  })
})

describe('the two outputs', () => {
  it('break lines at words where a screen is too narrow, and nowhere in a pipe', () => {
    const long = `${'word '.repeat(30)}end`
    const screen = open(true)
    screen.made.print(long)
    for (const line of screen.output.text().split('\n')) expect(line.length).toBeLessThanOrEqual(100)
    expect(
      screen.output
        .text()
        .split(/\s+/)
        .filter((word) => word === 'word'),
    ).toHaveLength(30)
    const piped = open(false)
    piped.made.print(long)
    expect(piped.output.text()).toBe(`${long}\n`)
  })

  it('keep data and messages apart', () => {
    const { made, output, messages } = open(false, { verbose: true })
    made.print('data')
    made.say('message')
    made.trace('detail')
    expect(output.text()).toBe('data\n')
    expect(messages.text()).toBe('message\n[Notewright] detail\n')
  })

  it('give a program one line of JSON and a user indented JSON', () => {
    const piped = open(false)
    piped.made.printJson({ a: [1] })
    expect(piped.output.text()).toBe('{"a":[1]}\n')
    const shown = open(true)
    shown.made.printJson({ a: [1] })
    expect(shown.output.text()).toContain('\n  "a"')
  })

  it('draw no progress into a pipe', () => {
    const { made, messages } = open(false)
    const progress = made.progress()
    progress.show({ phase: 'reading', done: 1, total: 2 })
    progress.clear()
    expect(messages.text()).toBe('')
  })

  it('draw progress on a terminal and take it away again', () => {
    const { made, messages } = open(true)
    const progress = made.progress()
    progress.show({ phase: 'reading', done: 1, total: 2 })
    progress.clear()
    expect(messages.text()).toMatch(/Reading notes.*1 \/ 2.*\r\x1b\[2K$/s)
  })
})

it('does not ask without a user, and reports what to type', async () => {
  const question = { text: 'Do it?', needs: 'Moving notes needs your approval.', signal: new AbortController().signal }
  await expect(confirm(open(false).made, question)).rejects.toMatchObject({
    code: 'needs-approval',
    details: { hint: expect.stringContaining('--yes') },
  })
})

it('has the width of the screen, and none at all where the output is no screen', () => {
  expect(open(true).made.width).toBe(100)
  expect(open(true).made.messageWidth).toBe(80)
  expect(open(false).made.width).toBe(Number.POSITIVE_INFINITY)
  expect(open(false).made.messageWidth).toBe(Number.POSITIVE_INFINITY)
})

const obeyed = /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/
const nasty = fc.string({
  unit: fc
    .oneof(fc.integer({ min: 0, max: 0x2100 }), fc.integer({ min: 0, max: 0xffff }))
    .map((code) => String.fromCharCode(code)),
})

describe('text for a terminal', () => {
  it('shows an escape sequence instead of obeying it', () => {
    expect(terminalText('\x1b]52;c;ZXZpbA==\x07')).toBe('⟦U+001B⟧]52;c;ZXZpbA==⟦U+0007⟧')
    expect(terminalText('\x9b2J')).toBe('⟦U+009B⟧2J')
    expect(terminalText('gnp.\u202ednammoc')).toBe('gnp.⟦U+202E⟧dnammoc')
    expect(terminalText('\r<- overwritten')).toBe('⟦U+000D⟧<- overwritten')
  })

  it('leaves ordinary text of every language alone', () => {
    for (const text of ['Füße', '番茄 汤', 'حديقة', '👩‍🌾 plants', 'a\tb\nc']) expect(terminalText(text)).toBe(text)
  })

  it('never lets a character through that a terminal would obey', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        expect(terminalText(text)).not.toMatch(obeyed)
        expect(visibleLine(text)).not.toMatch(/[\n\t\u0085]/)
        expect(terminalText(text)).not.toMatch(/\p{Surrogate}/u)
      }),
    )
  })
})

describe('JSON for scripts', () => {
  it('says exactly the same and holds nothing a terminal would obey', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        const line = jsonLine({ [text]: [text] })
        expect(line).not.toMatch(obeyed)
        expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify({ [text]: [text] })))
      }),
    )
  })

  it('is a single line unless indented', () => {
    expect(jsonLine({ a: 'x\ny\u2028' })).toBe('{"a":"x\\ny\\u2028"}')
  })
})
