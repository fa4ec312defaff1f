import { describe, expect, it } from 'vitest'
import { confirm, terminal } from './index.js'
import { bar } from './progress-bar.js'
import { style } from './style.js'

function sink(isTTY: boolean, columns?: number) {
  const written: string[] = []
  const stream = { isTTY, columns, write: (text: string) => written.push(text) } as unknown as NodeJS.WriteStream
  return { stream, text: () => written.join('') }
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

  it('are off when the person says so, in any of the usual ways', () => {
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

describe('the two outputs', () => {
  it('keep data apart from what is said about it', () => {
    const { made, output, messages } = open(false, { verbose: true })
    made.print('data')
    made.say('message')
    made.trace('detail')
    expect(output.text()).toBe('data\n')
    expect(messages.text()).toBe('message\n[Notewright] detail\n')
  })

  it('give a program one line of JSON and a person indented JSON', () => {
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

it('fits the progress bar to the line', () => {
  expect(bar('Reading notes', 500, 1000, 60, style(false))).toBe(`Reading notes  ${'━'.repeat(30)}  500 / 1,000`)
  expect(bar('Reading notes', 500, 1000, 30, style(false))).toBe('Reading notes 500 / 1,000')
  expect(bar('Reading notes', 0, 0, 80, style(false))).toBe('Reading notes')
})

it('asks nobody when nobody is there, and says what to type', async () => {
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
