import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { testVocabulary } from '../../../test/samples/rule-vocabulary.js'
import type { Effect } from '../tools/index.js'
import type { CallFacts, NoteAccess } from './call-facts.js'
import { type ConsentLevel, consentLevels } from './consent-level.js'
import type { Grant } from './grants.js'
import { evaluatePolicy, explainPolicy } from './policy.js'
import { parseRule, type Rule } from './rules.js'

function callOf(tool: string, effects: Effect[], more: Partial<CallFacts> = {}): CallFacts {
  return {
    tool,
    effects,
    sends: [],
    picks: false,
    isExecutable: false,
    isUndoable: effects.some((effect) => effect === 'writes' || effect === 'destroys'),
    notes: [],
    isTainted: false,
    sendsUntypedText: false,
    loads: [],
    audience: [],
    isLarge: false,
    ...more,
  }
}

function note(path: string, access: NoteAccess['access'] = 'writes', more: Partial<NoteAccess> = {}): NoteAccess {
  return { paths: [path], tags: [], properties: null, isKnown: true, access, isRead: access === 'reads', ...more }
}

const readPlan = callOf('read_note', ['reads'], { notes: [note('Projects/Plan.md', 'reads')] })
const editPlan = callOf('edit_note', ['writes'], { notes: [note('Projects/Plan.md', 'writes', { isRead: true })] })
const editDraft = callOf('edit_note', ['writes'], {
  notes: [note('A.md', 'writes', { tags: ['Draft/old'], isRead: true })],
})
const makeNote = callOf('write_note', ['writes'], { notes: [note('Inbox/x.md')] })
const overwrite = callOf('write_note', ['writes', 'destroys'], {
  notes: [note('Inbox/x.md', 'destroys', { isRead: true })],
})
const remove = callOf('delete_note', ['destroys'], { notes: [note('Projects/Plan.md', 'destroys', { isRead: true })] })
const move = callOf('rename_note', ['destroys'], {
  notes: [
    note('Projects/Plan.md', 'destroys', { isRead: true }),
    note('Projects/New.md'),
    note('Journal/Monday.md', 'writes', { isRead: true }),
  ],
})
const search = callOf('search_notes', ['reads'])
const share = callOf('file_read', ['reads'], {
  picks: true,
  notes: [note('Projects/Plan.md', 'reads'), note('B.md', 'reads')],
})
const fetch = callOf('web_fetch', ['reaches-network'], { sends: [{ url: 'https://docs.example.org/a' }] })
const tainted = callOf('web_fetch', ['reaches-network'], {
  sends: [{ url: 'https://docs.example.org/a' }],
  isTainted: true,
})
const unsaid = callOf('web_fetch', ['reaches-network'], {
  sends: [{ url: 'https://docs.example.org/a' }],
  sendsUntypedText: true,
})
const unsaidSearch = callOf('web_search', ['reaches-network'], {
  sends: [{ url: 'https://search.test/?q=a', payload: 'a', chosen: 'a' }],
  sendsUntypedText: true,
})
const unsaidForeign = callOf('issues__create', ['reaches-network'], {
  foreign: { server: 'issues', tool: 'create' },
  sendsUntypedText: true,
})
const loading = callOf('edit_note', ['writes'], {
  notes: [note('A.md')],
  loads: [{ path: 'A.md', url: 'https://a.test/', how: 'image' }],
})
const publishing = callOf('edit_note', ['writes'], {
  notes: [note('A.md')],
  audience: ['A.md would get publish: true.'],
})
const large = callOf('edit_note', ['writes'], { notes: [note('A.md')], isLarge: true })
const foreign = callOf('issues__create', ['destroys', 'reaches-network'], {
  foreign: { server: 'issues', tool: 'create' },
  isUndoable: false,
})
const foreignWrite = callOf('issues__create', ['writes'], {
  foreign: { server: 'issues', tool: 'create' },
  isUndoable: false,
})
const runs = callOf('write_note', ['writes'], { notes: [note('Inbox/x.md')], isExecutable: true })
const clock = callOf('get_current_time', [])
const otherCase = callOf('write_note', ['writes'], { notes: [note('inbox/x.md')] })
const evil = callOf('write_note', ['writes'], { notes: [note('Inbox-evil/x.md')] })
const linked = callOf('write_note', ['writes'], {
  notes: [note('Inbox/link/x.md', 'writes', { paths: ['Inbox/link/x.md', 'Journal/x.md'] })],
})
const canvas = callOf('write_note', ['writes'], { notes: [note('Inbox/x.canvas')] })

const rulesOf = (texts: string): Rule[] =>
  texts === '' ? [] : texts.split('; ').map((text) => parseRule(text, testVocabulary))

const grantsOf = (texts: string): Grant[] =>
  rulesOf(texts).map((rule, at) => ({ id: `${at}`, rule: { ...rule, from: 'grant' }, scope: { kind: 'vault' } }))

describe('the policy, without rules', () => {
  type Row = [string, CallFacts, ...('allow' | 'ask' | 'deny')[]]
  const rows: Row[] = [
    //                                  read-only  ask-all  ask      edit     auto     locked
    ['reading a note', readPlan, /*  */ 'allow', 'ask', 'allow', 'allow', 'allow', 'allow'],
    ['searching', search, /*         */ 'allow', 'ask', 'allow', 'allow', 'allow', 'allow'],
    ['sharing notes', share, /*      */ 'ask', 'ask', 'ask', 'ask', 'allow', 'deny'],
    ['editing a note', editPlan, /*  */ 'deny', 'ask', 'ask', 'allow', 'allow', 'deny'],
    ['making a note', makeNote, /*   */ 'deny', 'ask', 'ask', 'allow', 'allow', 'deny'],
    ['overwriting', overwrite, /*    */ 'deny', 'ask', 'ask', 'ask', 'allow', 'deny'],
    ['deleting', remove, /*          */ 'deny', 'ask', 'ask', 'ask', 'allow', 'deny'],
    ['renaming', move, /*            */ 'deny', 'ask', 'ask', 'ask', 'allow', 'deny'],
    ['fetching a page', fetch, /*    */ 'deny', 'ask', 'ask', 'ask', 'allow', 'deny'],
    ['the same, tainted', tainted, /**/ 'deny', 'ask', 'ask', 'ask', 'ask', 'deny'],
    ["a server's tool", foreign, /*  */ 'deny', 'ask', 'ask', 'ask', 'allow', 'deny'],
    ['its write', foreignWrite, /*   */ 'deny', 'ask', 'ask', 'ask', 'allow', 'deny'],
    ['text that runs', runs, /*      */ 'deny', 'ask', 'ask', 'ask', 'ask', 'deny'],
    ['the clock', clock, /*          */ 'allow', 'ask', 'allow', 'allow', 'allow', 'allow'],
  ]
  for (const [name, facts, ...effects] of rows) {
    it(`${name}: ${effects.join(', ')}`, () => {
      expect(consentLevels.map((level) => evaluatePolicy(facts, [], level, []).effect)).toEqual(effects)
    })
  }
})

describe('the policy, with rules', () => {
  const rows: [ConsentLevel, CallFacts, string, 'allow' | 'ask' | 'deny', string][] = [
    // level, call, rules, verdict, what decided
    ['ask', editPlan, 'allow: edit_note(Projects/**)', 'allow', 'allow: edit_note(Projects/**)'],
    ['ask', editPlan, 'allow: edit_note(Inbox/**)', 'ask', 'level:ask'],
    ['ask', editPlan, 'allow: writes', 'allow', 'allow: writes'],
    ['ask', editPlan, 'allow: *', 'allow', 'allow: *'],
    ['ask', editPlan, 'allow: reads', 'ask', 'level:ask'],
    ['locked', editPlan, 'allow: edit_note(Projects/**)', 'allow', 'allow: edit_note(Projects/**)'],
    ['read-only', editPlan, 'allow: edit_note', 'deny', 'level:read-only'],
    ['ask-all', readPlan, 'allow: *', 'ask', 'level:ask-all'],
    ['auto', editPlan, 'deny: edit_note(Projects/**)', 'deny', 'deny: edit_note(Projects/**)'],
    ['auto', editPlan, 'deny: writes(folder:projects)', 'deny', 'deny: writes(folder:projects)'],
    ['auto', editPlan, 'ask: writes(folder:Projects)', 'ask', 'ask: writes(folder:Projects)'],
    ['locked', editPlan, 'ask: writes; allow: writes', 'deny', 'ask: writes'],
    ['ask', editPlan, 'allow: edit_note; ask: writes(folder:Projects)', 'ask', 'ask: writes(folder:Projects)'],
    ['ask', editPlan, 'allow: edit_note; ask: edit_note; deny: edit_note', 'deny', 'deny: edit_note'],
    // By meaning.
    ['ask', editDraft, 'allow: writes(tag:#draft)', 'allow', 'allow: writes(tag:#draft)'],
    ['edit', editDraft, 'deny: writes(tag:#DRAFT)', 'deny', 'deny: writes(tag:#DRAFT)'],
    ['edit', editPlan, 'deny: writes(!folder:Inbox)', 'deny', 'deny: writes(!folder:Inbox)'],
    ['edit', makeNote, 'deny: writes(!folder:Inbox)', 'allow', 'level:edit'],
    // Destroying is a kind of writing; allowing writes does not allow destroying.
    ['auto', remove, 'deny: writes', 'deny', 'deny: writes'],
    ['auto', remove, 'deny: writes(Projects/**)', 'deny', 'deny: writes(Projects/**)'],
    ['ask', remove, 'allow: writes', 'ask', 'level:ask'],
    ['ask', overwrite, 'allow: writes', 'ask', 'level:ask'],
    ['ask', overwrite, 'allow: writes; allow: destroys', 'allow', 'allow: writes'],
    ['ask', overwrite, 'allow: write_note(Inbox/**)', 'allow', 'allow: write_note(Inbox/**)'],
    ['edit', overwrite, 'allow: destroys(Inbox/**)', 'allow', 'allow: destroys(Inbox/**)'],
    // A rename touches its source, its target and every note it rewrites.
    ['auto', move, 'deny: writes(Journal/**)', 'deny', 'deny: writes(Journal/**)'],
    ['auto', move, 'deny: rename_note(**/New.md)', 'deny', 'deny: rename_note(**/New.md)'],
    ['ask', move, 'allow: rename_note(Projects/**)', 'ask', 'level:ask'],
    ['ask', move, 'allow: rename_note(**)', 'allow', 'allow: rename_note(**)'],
    ['ask', move, 'allow: destroys', 'ask', 'level:ask'],
    // Changing a note reads it, so a note that may not be read may not be rewritten either.
    ['auto', move, 'deny: reads(folder:Journal)', 'deny', 'deny: reads(folder:Journal)'],
    ['auto', makeNote, 'deny: reads(folder:Inbox)', 'allow', 'level:auto'],
    // Reading.
    ['ask', readPlan, 'deny: reads(folder:Projects)', 'deny', 'deny: reads(folder:Projects)'],
    ['ask', readPlan, 'ask: reads(Projects/**)', 'ask', 'ask: reads(Projects/**)'],
    ['ask', search, 'deny: reads(folder:Projects)', 'allow', 'level:ask'],
    ['ask', search, 'deny: reads', 'deny', 'deny: reads'],
    // Sharing.
    ['ask', share, 'allow: reads', 'ask', 'pick'],
    ['ask', share, 'allow: *', 'ask', 'pick'],
    ['ask', share, 'allow: file_read', 'allow', 'allow: file_read'],
    ['ask', share, 'allow: file_read(Projects/**)', 'ask', 'pick'],
    ['locked', share, 'allow: file_read', 'allow', 'allow: file_read'],
    ['auto', share, 'deny: file_read(B.md)', 'deny', 'deny: file_read(B.md)'],
    // The network.
    ['ask', fetch, 'allow: web_fetch(domain:example.org)', 'allow', 'allow: web_fetch(domain:example.org)'],
    ['ask', fetch, 'allow: reaches-network(domain:example.com)', 'ask', 'level:ask'],
    ['auto', fetch, 'deny: reaches-network(domain:example.org)', 'deny', 'deny: reaches-network(domain:example.org)'],
    ['ask', tainted, 'allow: web_fetch(domain:example.org)', 'ask', 'taint'],
    ['auto', tainted, 'allow: *', 'ask', 'taint'],
    ['locked', tainted, 'allow: web_fetch', 'deny', 'taint'],
    // Words other than the user's own are sent only by a rule that names the tool and the recipient.
    ['auto', unsaid, '', 'ask', 'words'],
    ['auto', unsaid, 'allow: *', 'ask', 'words'],
    ['auto', unsaid, 'allow: web_fetch', 'ask', 'words'],
    ['auto', unsaid, 'allow: reaches-network(domain:example.org)', 'ask', 'words'],
    ['auto', unsaid, 'allow: web_fetch(!domain:evil.test)', 'ask', 'words'],
    ['auto', unsaid, 'allow: web_fetch(domain:example.com)', 'ask', 'words'],
    ['auto', unsaid, 'allow: web_fetch(domain:example.org)', 'allow', 'allow: web_fetch(domain:example.org)'],
    ['ask', unsaid, 'allow: web_fetch(domain:example.org)', 'allow', 'allow: web_fetch(domain:example.org)'],
    ['ask', unsaid, 'allow: web_fetch', 'ask', 'words'],
    ['locked', unsaid, 'allow: web_fetch', 'deny', 'words'],
    ['auto', unsaidSearch, '', 'ask', 'words'],
    ['auto', unsaidSearch, 'allow: web_search', 'allow', 'allow: web_search'],
    ['auto', unsaidSearch, 'allow: web_search(domain:search.test)', 'allow', 'allow: web_search(domain:search.test)'],
    ['auto', unsaidForeign, 'allow: mcp(issues)', 'ask', 'words'],
    ['auto', unsaidForeign, 'allow: mcp(issues/create)', 'allow', 'allow: mcp(issues/create)'],
    // Text that makes a viewer load something, and a change of who can see a note, always ask.
    ['edit', loading, '', 'ask', 'loads'],
    ['auto', loading, 'allow: edit_note', 'ask', 'loads'],
    ['locked', loading, 'allow: edit_note', 'deny', 'loads'],
    ['edit', publishing, 'allow: edit_note(A.md)', 'ask', 'audience'],
    ['auto', publishing, 'allow: *', 'ask', 'audience'],
    // A rule that someone wrote covers a large change; a grant does not.
    ['ask', large, 'allow: edit_note', 'allow', 'allow: edit_note'],
    ['ask', foreign, 'allow: mcp(issues/create)', 'allow', 'allow: mcp(issues/create)'],
    ['ask', foreign, 'allow: mcp(calendar)', 'ask', 'level:ask'],
    ['auto', foreign, 'deny: mcp(issues)', 'deny', 'deny: mcp(issues)'],
    ['auto', foreign, 'deny: mcp', 'deny', 'deny: mcp'],
    ['auto', foreign, 'deny: reaches-network', 'deny', 'deny: reaches-network'],
    ['auto', fetch, 'deny: mcp', 'allow', 'level:auto'],
    // Executable text always asks, whatever is allowed.
    ['ask', runs, 'allow: write_note', 'ask', 'executable'],
    ['locked', runs, 'allow: write_note', 'deny', 'executable'],
    // Only the canonical path of a note is allowed; anything that folds to it is denied.
    ['ask', makeNote, 'allow: write_note(Inbox/**)', 'allow', 'allow: write_note(Inbox/**)'],
    ['ask', otherCase, 'allow: write_note(Inbox/**)', 'ask', 'level:ask'],
    ['ask', evil, 'allow: write_note(Inbox/**)', 'ask', 'level:ask'],
    ['ask', linked, 'allow: write_note(Inbox/**)', 'ask', 'level:ask'],
    ['ask', canvas, 'allow: write_note(Inbox/**)', 'ask', 'level:ask'],
    ['auto', otherCase, 'deny: write_note(Inbox/**)', 'deny', 'deny: write_note(Inbox/**)'],
    ['auto', linked, 'deny: writes(folder:Journal)', 'deny', 'deny: writes(folder:Journal)'],
  ]
  for (const [level, facts, rules, effect, rule] of rows) {
    const paths = facts.notes.map(({ paths }) => paths[0]).join(' ')
    it(`at ${level}, ${facts.tool} ${paths} with ${rules}: ${effect}`, () => {
      expect(evaluatePolicy(facts, rulesOf(rules), level, [])).toMatchObject({ effect, rule })
    })
  }
})

describe('a grant', () => {
  it('lets pass what would ask, and says so', () => {
    expect(evaluatePolicy(editPlan, [], 'ask', grantsOf('allow: edit_note'))).toMatchObject({
      effect: 'allow',
      rule: 'grant: edit_note',
      reason: 'You allowed this before: edit_note.',
    })
  })

  it('covers a change as large as a user looks at, and no larger', () => {
    const granted = grantsOf('allow: edit_note(A.md)')
    expect(evaluatePolicy(large, [], 'ask', granted)).toMatchObject({
      effect: 'ask',
      rule: 'level:ask',
    })
    expect(evaluatePolicy({ ...large, isLarge: false }, [], 'ask', granted)).toMatchObject({
      effect: 'allow',
    })
  })

  it('for a turn covers large changes, but sends no words that the user did not type', () => {
    const granted = (tool: string) =>
      grantsOf(`allow: ${tool}`).map((grant): Grant => ({ ...grant, scope: { kind: 'turn', session: 's', turn: 't' } }))
    expect(evaluatePolicy(large, [], 'ask', granted('edit_note')).effect).toBe('allow')
    for (const facts of [unsaidSearch, unsaidForeign, unsaid, tainted]) {
      expect(evaluatePolicy(facts, [], 'ask', granted(facts.tool)).effect).toBe('ask')
    }
  })

  it('never overrides an explicit ask or deny, taint, or a level that always asks', () => {
    const granted = grantsOf('allow: *; allow: edit_note; allow: web_fetch')
    const effect = (facts: CallFacts, rules: string, level: ConsentLevel) =>
      evaluatePolicy(facts, rulesOf(rules), level, granted).effect
    expect(effect(editPlan, 'ask: edit_note', 'ask')).toBe('ask')
    expect(effect(editPlan, 'deny: edit_note', 'ask')).toBe('deny')
    expect(effect(tainted, '', 'ask')).toBe('ask')
    expect(effect(editPlan, '', 'ask-all')).toBe('ask')
    expect(effect(editPlan, '', 'read-only')).toBe('deny')
  })
})

const cases = [
  readPlan,
  editPlan,
  editDraft,
  makeNote,
  overwrite,
  remove,
  move,
  search,
  share,
  fetch,
  tainted,
  unsaid,
  unsaidSearch,
  unsaidForeign,
  loading,
  publishing,
  large,
  foreign,
  runs,
  clock,
  linked,
  canvas,
]
const texts = [
  'read_note',
  'file_read',
  'edit_note(Projects/**)',
  'write_note(Inbox/**)',
  'rename_note',
  'delete_note',
  'reads',
  'reads(folder:Journal)',
  'reads(tag:#draft)',
  'writes',
  'writes(tag:#draft)',
  'writes(!Inbox/**)',
  'destroys',
  'destroys(Projects/**)',
  'reaches-network',
  'reaches-network(domain:example.org)',
  'web_fetch(domain:docs.example.org)',
  'mcp(issues)',
  'mcp(issues/create)',
  '*',
  '*(Projects/**)',
  '*(prop:status=done)',
]
const anyRule = fc
  .record({ effect: fc.constantFrom('allow', 'ask', 'deny' as const), text: fc.constantFrom(...texts) })
  .map(({ effect, text }) => parseRule(`${effect}: ${text}`, testVocabulary))
const anyRules = fc.array(anyRule, { maxLength: 8 })
const anyCase = fc.constantFrom(...cases)
const anyLevel = fc.constantFrom(...consentLevels)
const strictness = { allow: 0, ask: 1, deny: 2 }

describe('whatever the rules', () => {
  it('order never matters', () => {
    const shuffled = anyRules.chain((rules) =>
      fc.tuple(fc.constant(rules), fc.shuffledSubarray(rules, { minLength: rules.length })),
    )
    fc.assert(
      fc.property(anyCase, shuffled, anyLevel, (facts, [rules, other], level) => {
        expect(evaluatePolicy(facts, other, level, [])).toEqual(evaluatePolicy(facts, rules, level, []))
      }),
    )
  })

  it('adding a deny or an ask never loosens, adding an allow or a grant never tightens', () => {
    fc.assert(
      fc.property(anyCase, anyRules, anyRule, anyLevel, (facts, rules, more, level) => {
        const before = strictness[evaluatePolicy(facts, rules, level, []).effect]
        const after = strictness[evaluatePolicy(facts, [...rules, more], level, []).effect]
        if (more.effect === 'allow') expect(after).toBeLessThanOrEqual(before)
        else expect(after).toBeGreaterThanOrEqual(before)
        const grant: Grant = { id: 'g', rule: { ...more, effect: 'allow', from: 'grant' }, scope: { kind: 'vault' } }
        expect(strictness[evaluatePolicy(facts, rules, level, [grant]).effect]).toBeLessThanOrEqual(before)
      }),
    )
  })

  it('deny beats ask beats allow for the same words', () => {
    fc.assert(
      fc.property(anyCase, fc.constantFrom(...texts), fc.constantFrom('ask', 'auto', 'edit'), (facts, text, level) => {
        const effect = (...names: string[]) => {
          const rules = names.map((name) => parseRule(`${name}: ${text}`, testVocabulary))
          return strictness[evaluatePolicy(facts, rules, level as ConsentLevel, []).effect]
        }
        expect(effect('allow', 'ask')).toBe(effect('ask'))
        expect(effect('allow', 'ask', 'deny')).toBe(effect('ask', 'deny'))
        expect(effect('ask', 'deny')).toBeGreaterThanOrEqual(effect('ask'))
      }),
    )
  })

  it('explains the same result, with every rule, and marks the one that decided', () => {
    fc.assert(
      fc.property(anyCase, anyRules, anyRules, anyLevel, (facts, rules, granted, level) => {
        const grants: Grant[] = granted.map((rule, at) => ({
          id: `${at}`,
          rule: { ...rule, effect: 'allow', from: 'grant' },
          scope: { kind: 'vault' },
        }))
        const { considered, level: _, ...verdict } = explainPolicy(facts, rules, level, grants)
        const { restriction: __, ...result } = evaluatePolicy(facts, rules, level, grants)
        expect(verdict).toEqual(result)
        expect(considered).toHaveLength(rules.length + grants.length)
        const isRule = /^(allow|ask|deny|grant): /.test(verdict.rule)
        expect(considered.some(({ decided }) => decided)).toBe(isRule)
        for (const { applies, decided, why } of considered) {
          expect(why).not.toBe('')
          if (decided) expect(applies).toBe(true)
        }
      }),
    )
  })
})

it('explains what the level says to each effect', () => {
  const { level, considered } = explainPolicy(move, rulesOf('allow: destroys; deny: edit_note'), 'edit', [])
  expect(level).toMatchObject({ name: 'edit', says: { destroys: 'ask', writes: 'pass' } })
  expect(considered).toMatchObject([
    { name: 'allow: destroys', applies: true, decided: true },
    { name: 'deny: edit_note', applies: false, why: 'does not apply to this call' },
  ])
})
