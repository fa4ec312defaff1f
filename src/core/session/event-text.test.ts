import { describe, expect, it } from 'vitest'
import type { FailureCode } from '../errors.js'
import type { ToolResult } from '../tools/index.js'
import { type EndedStep, failureText, stepsLine, whyNotDone } from './event-text.js'

const base = { callId: '1', name: 'a_tool', text: '' }
const done: ToolResult = { ...base, ok: true, output: {}, summary: '', provenance: [], logId: '1' }
const inPart: ToolResult = { ...done, inPart: true, userEdited: true }
const failed = (code: FailureCode): ToolResult => ({ ...base, ok: false, code })
const denied = failed('denied')
const step = (title: string, result?: ToolResult): EndedStep => ({ title, ...(result && { result }) })

describe('calls in one line', () => {
  it.each([
    [[step('Search notes', done)], 'Searched notes'],
    [[step('Search notes', done), step('Read note', done), step('Read note', done)], 'Searched notes, read 2 notes'],
    [
      [step('Read note', done), step('Search by tag', done), step('Search by tag', done)],
      'Read a note, searched by tag 2 times',
    ],
    [[step('Current time', done), step('GitHub: list issues', done)], 'Used Current time, used GitHub: list issues'],
    [[step('Delete note', denied)], 'Denied: delete a note'],
    [[step('Write note', failed('needs-approval'))], 'Denied: write a note'],
    [
      [step('Write note', denied), step('Write note', done), step('Write note', denied)],
      'Denied: write 2 notes, wrote a note',
    ],
    [
      [step('Search notes', done), step('GitHub: list issues', denied)],
      'Searched notes, denied: use GitHub: list issues',
    ],
    [[step('Read note', failed('not-found'))], 'Failed: read a note'],
    [[step('Edit note', failed('conflict')), step('Edit note')], 'Failed: edit a note, interrupted: edit a note'],
    [[step('Edit note', inPart)], 'Edited a note in part'],
    [[step('Search by tag', denied), step('Search by tag', denied)], 'Denied: search by tag 2 times'],
  ])('%#: reads as %s', (steps, line) => expect(stepsLine(steps)).toBe(line))

  it('never says of a call that did not happen that it was done, whatever its title', () => {
    const titles = [
      'Append note',
      'Convert note',
      'Create folder',
      'Delete note',
      'Edit note',
      'Rename note',
      'Update properties',
      'Write note',
      'Remember',
    ]
    const codes: FailureCode[] = ['denied', 'needs-approval', 'conflict', 'not-found', 'internal']
    for (const title of titles) {
      const happened = stepsLine([step(title, done)]).split(' ')[0]
      for (const result of [...codes.map(failed), undefined]) {
        const line = stepsLine([step(title, result)])
        expect(line).toMatch(/^(?:Denied|Failed|Interrupted): /)
        expect(line.split(' ')).not.toContain(happened)
      }
    }
  })
})

describe('a failed call', () => {
  const told = (code: FailureCode, text: string, forUser?: string) => {
    const result = { ...base, ok: false as const, code, text, ...(forUser && { forUser }) }
    return [failureText(result), whyNotDone(result)]
  }

  it('is described in the words for a user, if there are any', () => {
    expect(told('not-found', 'Path: x. Search first.', 'There is no note x. Search for it.')).toEqual([
      'There is no note x. Search for it.',
      'There is no note x',
    ])
    expect(told('network', 'example.org does not answer.')).toEqual([
      'example.org does not answer.',
      'example.org does not answer',
    ])
  })

  it('that an earlier version stored as denied is shown as denied', () => {
    expect(told('denied', 'User cancelled tool execution')).toEqual(['Denied', 'Denied'])
    expect(told('denied', 'User cancelled overwrite: not my inbox.')[0]).toBe('Denied: not my inbox.')
    expect(told('denied', '10.0.0.1 is not on the public internet.')[0]).toBe('10.0.0.1 is not on the public internet.')
  })
})
