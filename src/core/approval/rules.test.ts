import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { testVocabulary, testVocabulary as vocabulary } from '../../../test/samples/rule-vocabulary.js'
import { testContext } from '../../../test/tools/call-tool.js'
import { Failure } from '../errors.js'
import { guard } from './guard.js'
import { parseRule, scopeRules } from './rules.js'

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
    expect(refusal('read_note')).toContain('start it with allow:, ask: or deny:')
    expect(refusal('allow: read_note', 'deny')).toContain('it is in a list of deny rules')
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

  it("accepts names of former tools for themselves, and the user's own tools", () => {
    expect(allow('list_changes').subject).toEqual({ kind: 'tool', name: 'list_changes' })
    expect(allow('list_changes(Inbox/**)').subject).toEqual({ kind: 'tool', name: 'list_changes' })
    expect(allow('custom/count_words').subject).toEqual({ kind: 'tool', name: 'count_words' })
  })

  it('accepts any server if the configured ones are unknown, but no unknown tool', () => {
    const { tools } = testVocabulary
    const subject = { kind: 'mcp', server: 'nowhere', tool: 'x/y z' }
    expect(parseRule('deny: mcp(nowhere/x/y z)', { tools }).subject).toEqual(subject)
    expect(() => parseRule('deny: nowhere_x', { tools })).toThrow('unknown tool or effect')
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
    ['calendar__add(domain:x.org)', 'it is unknown which notes a tool of an MCP server uses'],
    ['mcp(nowhere/x)', 'Available: issues, calendar.'],
    ['edit_note()', 'the brackets are empty'],
    ['edit_note(../x)', 'cannot contain empty names'],
    ['edit_note(a//b)', 'cannot contain empty names'],
    ['edit_note(/etc)', 'without "/"'],
    ['edit_note(a\\b)', 'a backslash only before'],
    ['edit_note(\u202ea.md)', 'direction characters'],
    ['writes(tag:a b)', 'not a tag'],
    ['writes(prop:=x)', 'prop:name=value'],
    ['web_fetch(domain:https://x.org)', 'not a domain'],
    ['web_fetch(domain:x.org:8080)', 'not a domain'],
    ['web_fetch(domain:a@b.org)', 'not a domain'],
    ['web_fetch(Projects/**)', 'web_fetch does not use notes'],
    ['edit_note(domain:x.org)', 'edit_note does not access the network'],
    ['reads(domain:x.org)', 'reads does not access the network'],
    ['search_notes(folder:Journal)', 'Use reads(…) to say which notes may be read.'],
  ])('refuses %j and says why', (text, why) => {
    expect(refusal(text, text.startsWith('dney') ? undefined : 'allow')).toContain(why)
  })

  it('waits for a tool that is named as a model sees it, where any server may come', () => {
    const { tools } = testVocabulary
    const rule = parseRule('deny: files__write', { tools })
    expect(rule).toMatchObject({ effect: 'deny', subject: { kind: 'tool', name: 'files__write' } })
    expect(() => parseRule('deny: files__write', testVocabulary)).toThrow('unknown tool')
    expect(parseRule('deny: issues__close', testVocabulary).subject).toEqual({ kind: 'tool', name: 'issues__close' })
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

const files = { 'A/One.md': 'one', 'B/Two.md': 'two', 'C/Three.md': 'three', 'AB/Four.md': 'four', 'Top.md': 'top' }

async function seen(scope: Parameters<typeof scopeRules>[0]) {
  const context = await testContext(files)
  const { vault } = guard({ level: 'auto', rules: scopeRules(scope), vocabulary }).filterVisible(context)
  return (await vault.files()).map(({ path }) => path)
}

describe('a session that is kept to folders', () => {
  it('sees the notes in any of them, and nothing else', async () => {
    expect(await seen({ reads: ['A', 'B/'] })).toEqual(['A/One.md', 'B/Two.md'])
  })

  it('sees what it may write', async () => {
    expect(await seen({ reads: ['A'], writes: ['C'] })).toEqual(['A/One.md', 'C/Three.md'])
  })

  it('sees everything where only writing is kept to a folder', async () => {
    expect(await seen({ writes: ['C'] })).toEqual(Object.keys(files).sort())
  })

  it.each(['../other', '/etc', ''])('refuses %j for a folder', (folder) => {
    expect(() => scopeRules({ reads: [folder] })).toThrow()
  })
})
