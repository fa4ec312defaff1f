import { describe, expect, it } from 'vitest'
import { testVocabulary } from '../../../test/samples/rule-vocabulary.js'
import { testContext } from '../../../test/tools/call-tool.js'
import type { ProposedCall } from '../tools/index.js'
import { type Change, changeSet, hashBytes, notePath } from '../vault/index.js'
import { gatherFacts } from './call-facts.js'
import { conversationSources, typedText } from './outbound.js'
import { parseRule } from './rules.js'

const bytes = (text: string) => new TextEncoder().encode(text)
const hash = (text: string) => hashBytes(bytes(text))
const aboutTags = [parseRule('deny: *(tag:#x)', testVocabulary)]
const aboutPaths = [parseRule('deny: *(Journal/**)', testVocabulary)]
const draft = '---\nstatus: draft\n---\n#one\n'

function proposed(changes: Change[], more: Partial<ProposedCall> = {}): ProposedCall {
  return {
    callId: 'c',
    session: 's',
    tool: { name: 'edit_note' } as ProposedCall['tool'],
    source: 'built-in',
    input: {},
    effects: ['writes'],
    notes: [],
    sends: [],
    ...(changes.length > 0 && { plan: { changes: changeSet('Change', changes), output: null } }),
    edited: false,
    ...more,
  }
}

async function factsOf(call: ProposedCall, rules = aboutTags, canonical?: (path: string) => Promise<string>) {
  const context = await testContext({ 'A.md': draft, 'B.md': 'See [[A]] #two\n' })
  const facts = await gatherFacts(call, {
    context,
    rules,
    conversation: conversationSources(),
    typed: typedText(),
    canonical,
  })
  return { context, notes: Object.fromEntries(facts.notes.map(({ paths, ...rest }) => [paths.join(' = '), rest])) }
}

describe('the facts of a call', () => {
  it('come from the note as it is, and for a new note from what is planned', async () => {
    const { notes } = await factsOf(
      proposed([
        { kind: 'edit', path: notePath('A.md'), before: hash(draft), after: bytes('#new') },
        { kind: 'create', path: notePath('New.md'), after: bytes('#fresh') },
        { kind: 'append', path: notePath('Later.md'), added: bytes('#later') },
        { kind: 'append', path: notePath('B.md'), added: bytes('#later') },
      ]),
    )
    expect(notes).toEqual({
      'A.md': { access: 'writes', isRead: true, tags: ['one'], properties: { status: 'draft' }, isKnown: true },
      'New.md': { access: 'writes', isRead: false, tags: ['fresh'], properties: null, isKnown: true },
      'Later.md': { access: 'writes', isRead: false, tags: ['later'], properties: null, isKnown: true },
      'B.md': { access: 'writes', isRead: false, tags: ['two'], properties: null, isKnown: true },
    })
  })

  it('move with a note, and name its source, its target and what is rewritten', async () => {
    const { notes } = await factsOf(
      proposed([
        { kind: 'move', path: notePath('A.md'), to: notePath('Sub/A2.md'), before: hash(draft) },
        { kind: 'edit', path: notePath('B.md'), before: hash('See [[A]] #two\n'), after: bytes('See [[A2]]') },
        { kind: 'edit', path: notePath('Sub/A2.md'), before: hash(draft), after: bytes('x') },
      ]),
    )
    expect(notes).toMatchObject({
      'A.md': { access: 'destroys', isRead: true, tags: ['one'] },
      'Sub/A2.md': { access: 'writes', isRead: false, tags: ['one'] },
      'B.md': { access: 'writes', isRead: true, tags: ['two'] },
    })
  })

  it('take the strongest of what is said about a note', async () => {
    const change: Change = { kind: 'edit', path: notePath('A.md'), before: hash(draft), after: bytes('x') }
    const { notes } = await factsOf(proposed([change], { notes: [{ path: notePath('A.md'), access: 'destroys' }] }))
    expect(notes['A.md'].access).toBe('destroys')
  })

  it('do not trust an index that is behind', async () => {
    const context = await testContext({ 'A.md': draft })
    context.memory.write('A.md', 'now #changed')
    const sources = { context, rules: aboutTags, conversation: conversationSources(), typed: typedText() }
    const read = await gatherFacts(proposed([], { notes: [{ path: notePath('A.md'), access: 'reads' }] }), sources)
    expect(read.notes).toMatchObject([{ tags: ['changed'], isRead: true }])
  })

  it('are in doubt where properties cannot be read', async () => {
    const { notes } = await factsOf(
      proposed([{ kind: 'create', path: notePath('New.md'), after: bytes('---\na: [b\n---\n') }]),
    )
    expect(notes['New.md'].isKnown).toBe(false)
  })

  it('take a note that is there for that note, even when it was planned as new', async () => {
    const { notes } = await factsOf(proposed([{ kind: 'create', path: notePath('A.md'), after: bytes('#fresh') }]))
    expect(notes['A.md']).toMatchObject({ isRead: true, tags: ['one'] })
  })

  it('say where a path really leads, when a rule is about paths', async () => {
    const canonical = async (path: string) => path.replace('link/', 'Journal/')
    const call = proposed([{ kind: 'create', path: notePath('link/x.md'), after: bytes('x') }])
    expect(Object.keys((await factsOf(call, aboutPaths, canonical)).notes)).toEqual(['link/x.md = Journal/x.md'])
    expect(Object.keys((await factsOf(call, [], canonical)).notes)).toEqual(['link/x.md'])
  })

  it('include the notes to pick from', async () => {
    const { notes } = await factsOf(proposed([], { effects: ['reads'], pick: [notePath('B.md')] }))
    expect(notes).toMatchObject({ 'B.md': { access: 'reads', isRead: true, tags: ['two'] } })
  })
})
