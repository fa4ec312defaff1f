import { describe, expect, it } from 'vitest'
import { Failure, type FailureCode } from '../../../core/errors.js'
import { style, type Terminal } from '../terminal/terminal.js'
import { reportFailure } from './failures.js'

function report(error: unknown, json: boolean) {
  const [printed, said]: [unknown[], string[]] = [[], []]
  const terminal = {
    json,
    messageStyle: style(false),
    printJson: (value: unknown) => printed.push(value),
    say: (text: string) => said.push(text),
    trace: () => {},
  } as unknown as Terminal
  return { code: reportFailure(error, terminal), printed, said }
}

describe('a failure', () => {
  it.each<[FailureCode, number]>([
    ['internal', 1],
    ['invalid-input', 2],
    ['not-found', 3],
    ['needs-approval', 4],
    ['denied', 4],
    ['network', 5],
    ['conflict', 6],
  ])('%s ends with exit code %i', (code, exit) => expect(report(new Failure(code, 'x'), false).code).toBe(exit))

  it('is a sentence and what to do about it, with hostile text made harmless', () => {
    const { said } = report(new Failure('not-found', 'Note not found: \x1b[2J', { hint: 'Search for it.' }), false)
    expect(said).toEqual(['error Note not found: ⟦U+001B⟧[2J', 'Search for it.'])
  })

  it.each([
    ['Choose what to keep in these notes first.', 'Choose what to keep in these notes first: notewright recover 7'],
    ['Did you mean 8?', 'Did you mean 8? (notewright recover 7)'],
  ])('names what to type for what to do: %s', (hint, shown) => {
    const failure = new Failure('conflict', 'It was cut off.', { hint, command: 'notewright recover 7' })
    expect(report(failure, false).said[1]).toBe(shown)
    expect(report(failure, true).printed).toEqual([
      { ok: false, code: 'conflict', text: 'It was cut off.', hint, command: 'notewright recover 7' },
    ])
  })

  it('is data on standard output when JSON was asked for', () => {
    const failure = new Failure('ambiguous', 'Two notes.', { hint: 'Choose.', data: { candidates: ['a', 'b'] } })
    expect(report(failure, true).printed).toEqual([
      { ok: false, code: 'ambiguous', text: 'Two notes.', hint: 'Choose.', data: { candidates: ['a', 'b'] } },
    ])
    expect(report(new Failure('conflict', 'Changed.'), true).printed).toEqual([
      { ok: false, code: 'conflict', text: 'Changed.' },
    ])
  })

  it('that was unexpected is reported as a bug', () => {
    const { code, said } = report(new TypeError('x is not a function'), false)
    expect(code).toBe(1)
    expect(said[1]).toContain('bug')
  })
})
