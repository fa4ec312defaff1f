import { expect, it } from 'vitest'
import { conflict, denied, personSaidNo, unasked } from '../approval/rulings.js'
import { forPeople } from './for-people.js'

const call = { tool: { name: 'write_note' } } as never
const verdict = { rule: 'level: read-only', reason: 'Nothing is changed at read-only.', asks: [] } as never

/** As `runTool` puts them together for a model. */
const textOf = ({ reason, hint }: { reason: string; hint?: string }) => [reason, hint].filter(Boolean).join(' ')

it.each([
  [personSaidNo(call, { why: 'person' as never }), 'You said no.'],
  [personSaidNo(call, { why: 'person' as never, words: 'not my inbox' }), 'You said no.'],
  [personSaidNo(call, { why: 'repeated' }), 'You said no.'],
  [personSaidNo(call, { why: 'expired' }), 'Nobody answered in time.'],
  [denied(verdict, call), 'Nothing is changed at read-only.'],
  [conflict(), 'The note has changed since preview, so nothing was done.'],
  [
    unasked(verdict, call, [{ rule: 'write_note' }] as never),
    'It needs the approval of a person. Nothing is changed at read-only. This rule would let it pass: allow: write_note',
  ],
])('no words for a model are left of a ruling: %#', (ruling, words) => {
  expect(forPeople(textOf(ruling))).toBe(words)
})

it.each([
  ['User cancelled overwrite', 'You said no to writing over it.'],
  ['Note not found: Tomatos Find its path with search_notes.', 'Note not found: Tomatos.'],
  ['Garden/Tomatoes.md has no heading "Late".', 'Garden/Tomatoes.md has no heading "Late".'],
])('%s is told as %s', (text, words) => expect(forPeople(text)).toBe(words))
