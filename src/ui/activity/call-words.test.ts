import { describe, expect, it } from 'vitest'
import type { LoggedCall, LoggedRequest } from '../../core/tools/index.js'
import { type HistoryEntry, notePath } from '../../core/vault/index.js'
import { callWords, decisionWords, requestWords, stateWords } from './call-words.js'

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()

function call(id: string, second: number, more: Partial<LoggedCall> = {}): LoggedCall {
  const row = { id, timestamp: at(second), session: 'one', turn: 't1', tool_name: 'read_note', arguments: {} }
  return { ...row, decision: 'allowed', rule: 'level:ask', result: 'done', ...more }
}

function change(id: string, second: number, more: Partial<HistoryEntry> = {}): HistoryEntry {
  const changes = [{ kind: 'edit' as const, path: notePath('Garden/Beans.md') }]
  return { id, time: Date.parse(at(second)), title: 'Edit', state: 'applied', changes, undoes: [], ...more }
}

function request(sha256: string, second: number, more: Partial<LoggedRequest> = {}): LoggedRequest {
  const row = { time: at(second), session: 'one', turn: 't1', provider: 'openai', model: 'm', bytes: 4200, notes: [] }
  return { ...row, destination: 'api.openai.com', sha256, ...more }
}

describe('a call in words', () => {
  it('names the note, the query or the address, and not the tool', () => {
    const words = (title: string, given: unknown, more: Partial<LoggedCall> = {}) =>
      callWords(call('c', 1, { arguments: given, ...more }), title)
    expect(words('Read note', { path: 'Garden/Beans.md' })).toBe('Read Beans')
    expect(words('Read files', { filePaths: ['A.md', 'B.md'] })).toBe('Read 2 notes')
    expect(words('Append to note', { path: 'Beans' })).toBe('Appended to Beans')
    expect(words('Update properties', { path: 'Beans' })).toBe('Updated properties of Beans')
    expect(words('Search notes', { query: 'late blight' })).toBe('Searched notes for “late blight”')
    expect(words('Search by tag', { tags: ['#garden'] })).toBe('Searched by tag: #garden')
    expect(words('Read web page', { url: 'https://example.org/' })).toBe('Read web page: https://example.org/')
    expect(words('Rename note', { path: 'Soup.md', new_path: 'Broth' })).toBe('Renamed Soup to Broth')
    expect(words('Rename note', { path: 'Soup.md', new_path: 'Broth' }, { decision: 'denied', rule: 'person' })).toBe(
      'Denied: rename Soup to Broth',
    )
    expect(words('Delete note', { path: 'a \u202egnp.md' }, { error: { code: 'x', message: '' } })).toBe(
      'Failed: delete a ⟦U+202E⟧gnp',
    )
    expect(callWords(call('c', 1, { decision: 'refused', rule: 'deny: x' }), undefined)).toBe('Blocked: use read_note')
    const { result: _, ...unfinished } = call('c', 1)
    expect(callWords(unfinished, 'Edit note')).toBe('Interrupted: edit a note')
  })

  it('says who decided', () => {
    expect(decisionWords(call('c', 1, { decision: 'approved', rule: 'person' }))).toBe('Approved by you')
    expect(decisionWords(call('c', 1, { decision: 'denied', rule: 'person' }))).toBe('Denied by you')
    expect(decisionWords(call('c', 1))).toBe('Allowed by the approval level (ask)')
    expect(decisionWords(call('c', 1, { decision: 'refused', rule: 'deny: x' }))).toBe('Blocked by deny: x')
  })
})

it('requests are shown with their size, destination and notes', () => {
  const requests = [request('a', 1, { notes: ['Garden/Beans.md'] }), request('b', 2, { notes: ['Soup.md', 'Leek.md'] })]
  expect(requestWords(requests)).toBe('8.4 kB to api.openai.com, with Beans and 2 more notes')
  expect(requestWords([request('a', 1)])).toBe('4.2 kB to api.openai.com')
})

it('an interrupted change shows how it ended', () => {
  const recovered = { at: 5, went: 'taken-back' as const }
  expect(stateWords(change('x', 1))).toBe('')
  expect(stateWords(change('x', 1, { state: 'rolled-back', recovered }))).toBe('Interrupted, then undone')
  expect(stateWords(change('x', 1, { state: 'unfinished' }))).toBe('Interrupted')
  expect(stateWords(change('x', 1, { state: 'undecided', recovered }))).toBe('Interrupted; notes need your decision')
})
