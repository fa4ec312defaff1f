import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Failure } from '../../errors.js'
import { testVocabulary } from '../testing/vocabulary.js'
import { parseRule } from './parse-rule.js'

const allow = (text: string) => parseRule(text, testVocabulary, { effect: 'allow' })

function refusal(text: string, effect?: 'allow' | 'ask' | 'deny'): string {
  try {
    parseRule(text, testVocabulary, { effect })
  } catch (error) {
    if (error instanceof Failure) return [error.message, error.details.hint].filter(Boolean).join(' ')
    throw error
  }
  throw new Error(`${text} was accepted`)
}

describe('a rule', () => {
  it.each([
    ['edit_note(Projects/**)', { kind: 'tool', name: 'edit_note' }, { kind: 'path', pattern: 'Projects/**' }],
    ['web_fetch(domain:example.org)', { kind: 'tool', name: 'web_fetch' }, { kind: 'domain', domain: 'example.org' }],
    [
      'web_fetch(domain:*.Example.ORG.)',
      { kind: 'tool', name: 'web_fetch' },
      { kind: 'domain', domain: 'example.org' },
    ],
    [
      'web_fetch(domain:bücher.de)',
      { kind: 'tool', name: 'web_fetch' },
      { kind: 'domain', domain: 'xn--bcher-kva.de' },
    ],
    ['reads(folder:Journal)', { kind: 'effect', effect: 'reads' }, { kind: 'folder', folder: 'Journal' }],
    ['writes(tag:#draft)', { kind: 'effect', effect: 'writes' }, { kind: 'tag', tag: 'draft' }],
    ['writes(prop:status=done)', { kind: 'effect', effect: 'writes' }, { kind: 'prop', name: 'status', value: 'done' }],
    ['writes(prop:locked)', { kind: 'effect', effect: 'writes' }, { kind: 'prop', name: 'locked' }],
    ['destroys', { kind: 'effect', effect: 'destroys' }, undefined],
    [
      'reaches-network(domain:x.org)',
      { kind: 'effect', effect: 'reaches-network' },
      { kind: 'domain', domain: 'x.org' },
    ],
    ['mcp(issues)', { kind: 'mcp', server: 'issues' }, undefined],
    ['mcp(issues/*)', { kind: 'mcp', server: 'issues' }, undefined],
    ['mcp(issues/create)', { kind: 'mcp', server: 'issues', tool: 'create' }, undefined],
    ['mcp', { kind: 'mcp' }, undefined],
    ['read_note', { kind: 'tool', name: 'read_note' }, undefined],
    ['*', { kind: 'any' }, undefined],
    ['*(Journal/**)', { kind: 'any' }, { kind: 'path', pattern: 'Journal/**' }],
    [
      'edit_note(!Projects/**)',
      { kind: 'tool', name: 'edit_note' },
      { kind: 'not', selector: { kind: 'path', pattern: 'Projects/**' } },
    ],
    ['edit_note(Plan (old).md)', { kind: 'tool', name: 'edit_note' }, { kind: 'path', pattern: 'Plan (old).md' }],
    ['edit_note(path:todo:now.md)', { kind: 'tool', name: 'edit_note' }, { kind: 'path', pattern: 'todo:now.md' }],
  ])('reads %s', (text, subject, selector) => {
    const rule = allow(text)
    expect(rule).toMatchObject({ effect: 'allow', subject, text })
    expect(rule.selector).toEqual(selector)
  })

  it('may carry its effect, and must carry one somewhere', () => {
    expect(parseRule('deny: reads(folder:Journal)', testVocabulary).effect).toBe('deny')
    expect(parseRule('ask:edit_note', testVocabulary)).toMatchObject({ effect: 'ask', text: 'edit_note' })
    expect(refusal('read_note')).toContain('begin it with allow:, ask: or deny:')
    expect(refusal('allow: read_note', 'deny')).toContain('it stands in a list of deny rules')
  })

  it('takes names that other systems use for the tool they mean', () => {
    expect(allow('replaceInFile(Inbox/**)')).toMatchObject({
      subject: { kind: 'tool', name: 'edit_note' },
      text: 'edit_note(Inbox/**)',
    })
  })

  it('waits for the tools of a configured server, by either of their names', () => {
    expect(allow('mcp(calendar/add_event)').subject).toEqual({ kind: 'mcp', server: 'calendar', tool: 'add_event' })
    expect(allow('calendar__add_event').subject).toEqual({ kind: 'tool', name: 'calendar__add_event' })
  })

  it('waits for tools that only clients of the MCP server have, and for those that the person wrote', () => {
    expect(allow('undo_last_change').subject).toEqual({ kind: 'tool', name: 'undo_last_change' })
    expect(allow('undo_last_change(Inbox/**)').subject).toEqual({ kind: 'tool', name: 'undo_last_change' })
    expect(allow('custom/count_words').subject).toEqual({ kind: 'tool', name: 'count_words' })
  })

  it('waits for any server where nobody knows which are configured, and for no tool that is nobody’s', () => {
    const { tools } = testVocabulary
    const subject = { kind: 'mcp', server: 'nowhere', tool: 'x/y z' }
    expect(parseRule('deny: mcp(nowhere/x/y z)', { tools }).subject).toEqual(subject)
    expect(() => parseRule('deny: nowhere__x', { tools })).toThrow('unknown tool or effect')
  })

  it.each([
    ['edit_note(', 'write it as'],
    ['edit_nots(A.md)', 'Did you mean edit_note?'],
    ['wirtes(tag:#x)', 'Did you mean writes?'],
    ['dney: read_note', 'Did you mean deny?'],
    ['edit_note(flder:X)', 'Did you mean folder:?'],
    ['mcp(isues)', 'Did you mean issues?'],
    ['mcp(/x)', 'write it as mcp(server)'],
    ['calender__add', 'unknown tool or effect'],
    ['calendar__add(domain:x.org)', 'what a tool of a server touches is not known'],
    ['mcp(nowhere/x)', 'There is issues, calendar.'],
    ['edit_note()', 'the brackets are empty'],
    ['edit_note(../x)', 'no empty names'],
    ['edit_note(a//b)', 'no empty names'],
    ['edit_note(/etc)', 'without "/"'],
    ['edit_note(a\\b)', 'a backslash only stands'],
    ['edit_note(\u202ea.md)', 'direction characters'],
    ['writes(tag:a b)', 'not a tag'],
    ['writes(prop:=x)', 'prop:name=value'],
    ['web_fetch(domain:https://x.org)', 'not a domain'],
    ['web_fetch(domain:x.org:8080)', 'not a domain'],
    ['web_fetch(domain:a@b.org)', 'not a domain'],
    ['web_fetch(Projects/**)', 'web_fetch does not touch notes'],
    ['edit_note(domain:x.org)', 'edit_note does not reach the network'],
    ['reads(domain:x.org)', 'reads does not reach the network'],
    ['search_notes(folder:Journal)', 'Say which notes may be read with reads(…).'],
  ])('refuses %j and says why', (text, why) => {
    expect(refusal(text, text.startsWith('dney') ? undefined : 'allow')).toContain(why)
  })

  it('has a limit', () => {
    expect(refusal(`edit_note(${'a'.repeat(3000)})`, 'allow')).toContain('at most 2000 characters')
  })

  it('ends in a rule or a failure for any text', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'edit_noreadsmcp(*):/#!\\ =') })),
        (text) => {
          try {
            const rule = allow(text)
            expect(parseRule(rule.text, testVocabulary, { effect: 'allow' })).toEqual(rule)
          } catch (error) {
            expect(error).toBeInstanceOf(Failure)
          }
        },
      ),
      { numRuns: 2000 },
    )
  })
})
