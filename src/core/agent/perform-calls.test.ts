import { describe, expect, it } from 'vitest'
import { memoryHost } from '../../../test/doubles/memory-host.js'
import { scriptedModel } from '../../../test/doubles/scripted-model.js'
import type { ApprovalAnswer, ApprovalRequest, UserAnswer, UserRequest } from '../approval/index.js'
import { configSchema } from '../config/index.js'
import { vaultFromHost } from '../session/index.js'
import type { AgentEvent } from './turn.js'

const notes = {
  'Soil.md': 'Compost feeds the soil.\n',
  'Plan.md': 'Dig.\n\nSow.\n',
  'Home.md': 'See [[Plan]].\n',
}
interface Call {
  name: string
  input: Record<string, unknown>
}

const create = (path: string, content: string): Call => ({ name: 'write_note', input: { path, content } })
const edit = (path: string, old_text: string, new_text: string): Call => ({
  name: 'edit_note',
  input: { path, old_text, new_text },
})
const append = (path: string, content: string): Call => ({ name: 'append_note', input: { path, content } })

type Answering = (request: ApprovalRequest, at: number) => ApprovalAnswer

/** Runs one turn whose first reply makes these calls. Each panel is answered, request by request. */
async function perform(calls: Call[], answering: Answering, consent: 'ask' | 'ask-all' | 'edit' = 'ask') {
  const host = await memoryHost(notes)
  const vault = vaultFromHost({ host, settings: configSchema.parse({}), approvalOptions: { remote: true } })
  const model = scriptedModel([{ call: calls }, { say: 'Done.' }])
  const session = await vault.openSession({ id: 's', model, consent })
  const events: AgentEvent[] = []
  const panels: UserRequest[] = []
  let asked = 0
  for await (const event of session.ask('Go')) {
    events.push(event)
    if (event.type !== 'approval-asked') continue
    const { panel } = event
    panels.push(panel)
    const requests = panel.kind === 'batch' ? panel.requests : [panel as ApprovalRequest]
    const answers = requests.map((request) => [request.id, answering(request, asked++)] as const)
    const answer: UserAnswer =
      panel.kind === 'batch' ? { verdict: 'each', answers: Object.fromEntries(answers) } : answers[0]![1]
    const receipt = vault.approvalQueue.answer(panel.id, { ...answer, hash: panel.hash, session: 's' })
    expect(receipt).toEqual({ ok: true })
  }
  const results = events.flatMap((event) => (event.type === 'tool-result' ? [event.result] : []))
  const text = (path: string) => {
    const bytes = host.memory.snapshot().get(path)
    return bytes && new TextDecoder().decode(bytes)
  }
  return { events, panels, results, text, vault, session, prompt: JSON.stringify(model.prompts.at(-1)?.prompt) }
}

const yes: ApprovalAnswer = { verdict: 'allow' }
const no: ApprovalAnswer = { verdict: 'deny' }
const titles = (panel: UserRequest | undefined) =>
  panel?.kind === 'batch' ? panel.requests.map(({ title }) => title) : panel && 'title' in panel ? [panel.title] : []

describe('the calls of one reply', () => {
  it('are asked about in one request, and done in order', async () => {
    const { panels, results, text } = await perform(
      [append('Plan.md', 'Weed.'), { name: 'read_note', input: { path: 'Plan.md' } }, create('New.md', 'New.\n')],
      () => yes,
    )
    expect(panels).toHaveLength(1)
    expect(titles(panels[0])).toEqual(['Append to Plan.md', 'Create New.md'])
    expect(results.map(({ ok }) => ok)).toEqual([true, true, true])
    // The read comes after the change, as the model wrote it.
    expect(results.find(({ name }) => name === 'read_note')?.text).toContain('Weed.')
    expect(text('New.md')).toBe('New.\n')
  })

  it('are planned on the results of the calls before them, and shown so', async () => {
    const { panels, results, text } = await perform(
      [create('New.md', 'One.\nTwo.\n'), edit('New.md', 'Two.', 'Three.'), append('New.md', 'Four.')],
      () => yes,
    )
    expect(titles(panels[0])).toEqual(['Create New.md', 'Edit New.md', 'Append to New.md'])
    const [, second] = panels[0]?.kind === 'batch' ? panels[0].requests : []
    expect(second?.changes?.[0]?.diff).toMatch(/ One\.\n-Two\.\n\+Three\./)
    expect(panels).toHaveLength(1)
    expect(results.map(({ ok }) => ok)).toEqual([true, true, true])
    expect(text('New.md')).toBe('One.\nThree.\nFour.\n')
  })

  it('are denied one by one, and a call that builds on a denied one says why it failed', async () => {
    const { panels, results, text } = await perform(
      [create('New.md', 'One.\n'), edit('New.md', 'One.', 'Two.'), append('Plan.md', 'Weed.')],
      ({ title }) => (title.startsWith('Create') ? no : yes),
    )
    expect(panels).toHaveLength(1)
    expect(results.map(({ ok }) => ok)).toEqual([false, false, true])
    expect(results[1]?.text).toContain('builds on an earlier change of this reply that was not applied (Create New.md)')
    expect(text('New.md')).toBeUndefined()
    expect(text('Plan.md')).toBe('Dig.\n\nSow.\nWeed.\n')
  })

  it('are planned and asked about again if an earlier one was accepted only in part', async () => {
    const diff =
      '<<<<<<< SEARCH\nDig.\n=======\nDig deep.\n>>>>>>> REPLACE\n<<<<<<< SEARCH\nSow.\n=======\nSow thinly.\n>>>>>>> REPLACE\n'
    const { panels, text } = await perform(
      [{ name: 'edit_note', input: { path: 'Plan.md', diff } }, edit('Plan.md', 'Dig', 'Please dig')],
      (_, at) => (at === 0 ? { verdict: 'allow', hunks: [{ change: 0, hunks: [0] }] } : yes),
    )
    expect(panels.map(titles)).toEqual([['Edit Plan.md', 'Edit Plan.md'], ['Edit Plan.md']])
    const [, again] = panels as [unknown, ApprovalRequest]
    expect(again.notices[0]?.text).toContain('was not applied as shown')
    expect(text('Plan.md')).toBe('Please dig deep.\n\nSow.\n')
  })

  it('are asked about again if another program changed a note in the meantime', async () => {
    const host = await memoryHost(notes)
    const vault = vaultFromHost({ host, settings: configSchema.parse({}), approvalOptions: { remote: true } })
    const model = scriptedModel([{ call: [create('A.md', 'A.\n'), edit('Plan.md', 'Dig.', 'Dug.')] }, { say: 'ok' }])
    const session = await vault.openSession({ id: 's', model, consent: 'ask' })
    const results: string[] = []
    for await (const event of session.ask('Go')) {
      if (event.type === 'tool-result') results.push(event.result.text)
      if (event.type !== 'approval-asked') continue
      if (event.panel.kind === 'call') {
        expect(event.panel.changes?.[0]?.diff).toContain(' By hand.')
        vault.approvalQueue.answer(event.panel.id, { ...no, hash: event.panel.hash, session: 's' })
      }
      if (event.panel.kind !== 'batch') continue
      host.memory.write('Plan.md', 'Dig.\nBy hand.\n')
      const answers = Object.fromEntries(event.panel.requests.map(({ id }) => [id, yes]))
      vault.approvalQueue.answer(event.panel.id, { verdict: 'each', answers, hash: event.panel.hash, session: 's' })
    }
    expect(results[1]).toContain('User cancelled')
    expect(new TextDecoder().decode(host.memory.snapshot().get('Plan.md'))).toBe('Dig.\nBy hand.\n')
  })

  it('include reads where every call needs approval', async () => {
    const { panels } = await perform(
      [
        { name: 'read_note', input: { path: 'Plan.md' } },
        { name: 'read_note', input: { path: 'Soil.md' } },
        append('Plan.md', 'Weed.'),
      ],
      () => yes,
      'ask-all',
    )
    expect(panels.map(titles)).toEqual([['Read note', 'Read note', 'Append to Plan.md']])
  })

  it('ask only about those that need it', async () => {
    const { panels, text } = await perform(
      [append('Plan.md', 'Weed.'), { name: 'delete_note', input: { path: 'Soil.md' } }],
      () => no,
      'edit',
    )
    expect(panels.map(titles)).toEqual([['Delete Soil.md']])
    expect(text('Plan.md')).toContain('Weed.')
    expect(text('Soil.md')).toBe(notes['Soil.md'])
  })

  it('ask once about a call that is made twice', async () => {
    const { panels, text } = await perform([append('Plan.md', 'Weed.'), append('Plan.md', 'Weed.')], () => yes)
    expect(panels.map(titles)).toEqual([['Append to Plan.md']])
    expect(text('Plan.md')).toBe('Dig.\n\nSow.\nWeed.\n')
  })

  it('update the links of a note that an earlier call renames', async () => {
    const { panels, text } = await perform(
      [{ name: 'rename_note', input: { path: 'Plan.md', new_path: 'Plans.md' } }, edit('Home.md', 'See', 'Read')],
      () => yes,
    )
    expect(titles(panels[0])).toHaveLength(2)
    expect(text('Home.md')).toBe('Read [[Plans]].\n')
  })

  it('leave nothing waiting when the turn is stopped', async () => {
    const host = await memoryHost(notes)
    const vault = vaultFromHost({ host, settings: configSchema.parse({}), approvalOptions: { remote: true } })
    const model = scriptedModel([{ call: [create('A.md', 'A.\n'), create('B.md', 'B.\n')] }, { say: 'ok' }])
    const session = await vault.openSession({ id: 's', model, consent: 'ask' })
    for await (const event of session.ask('Go')) if (event.type === 'approval-asked') break
    expect(vault.approvalQueue.pending('s')).toEqual([])
    expect([...host.memory.snapshot().keys()].sort()).toEqual(Object.keys(notes).sort())
  })
})

describe('text that the user edits before approving', () => {
  it('is shown again, written as it is, and reported to the model', async () => {
    const { panels, results, text, prompt } = await perform([create('New.md', 'By the model.\n')], (_request, at) =>
      at === 0 ? { verdict: 'allow', results: [{ change: 0, text: 'By me.\n' }] } : yes,
    )
    expect(panels).toHaveLength(2)
    const [first, second] = panels as ApprovalRequest[]
    expect(first?.results).toEqual([{ change: 0, text: 'By the model.\n' }])
    expect(second).toMatchObject({ edited: true, results: [{ change: 0, text: 'By me.\n' }] })
    expect(second?.changes?.[0]?.diff).toContain('+By me.')
    expect(second?.hash).not.toBe(first?.hash)
    expect(text('New.md')).toBe('By me.\n')
    expect(results[0]?.text).toContain('The user edited the text of New.md')
    expect(prompt).toContain('The user edited the text of New.md')
  })

  it('keeps the line breaks and the byte order mark of the note', async () => {
    const host = await memoryHost({ 'A.md': '\ufeffOne.\r\nTwo.\r\n' })
    const vault = vaultFromHost({ host, settings: configSchema.parse({}), approvalOptions: { remote: true } })
    const model = scriptedModel([{ call: [edit('A.md', 'One.', 'Three.')] }, { say: 'ok' }])
    const session = await vault.openSession({ id: 's', model, consent: 'ask' })
    const shown: (string | undefined)[] = []
    for await (const event of session.ask('Go')) {
      if (event.type !== 'approval-asked' || event.panel.kind !== 'call') continue
      const { id, hash, results } = event.panel
      shown.push(results?.[0]?.text)
      const edited = shown.length === 1 ? { results: [{ change: 0, text: 'Four.\nTwo.\nFive.\n' }] } : {}
      vault.approvalQueue.answer(id, { verdict: 'allow', ...edited, hash, session: 's' })
    }
    expect(shown).toEqual(['Three.\nTwo.\n', 'Four.\nTwo.\nFive.\n'])
    expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode(host.memory.snapshot().get('A.md'))).toBe(
      '\ufeffFour.\r\nTwo.\r\nFive.\r\n',
    )
  })

  it('is checked like any other text: code in it is asked about separately', async () => {
    const code = '```dataviewjs\napp.vault.delete()\n```\n'
    const { panels, text } = await perform([create('New.md', 'Plain.\n')], (request, at) => {
      if (at === 0) return { verdict: 'allow', results: [{ change: 0, text: code }] }
      return request.kind === 'executable' ? no : yes
    })
    expect(panels.map(({ kind }) => kind)).toEqual(['call', 'call', 'executable'])
    expect(text('New.md')).toBeUndefined()
  })

  it('is a conflict if the note changed while it was edited', async () => {
    const host = await memoryHost(notes)
    const vault = vaultFromHost({ host, settings: configSchema.parse({}), approvalOptions: { remote: true } })
    const model = scriptedModel([{ call: [edit('Plan.md', 'Dig.', 'Dug.')] }, { say: 'ok' }])
    const session = await vault.openSession({ id: 's', model, consent: 'ask' })
    const codes: unknown[] = []
    for await (const event of session.ask('Go')) {
      if (event.type === 'tool-result' && !event.result.ok) codes.push(event.result.code)
      if (event.type !== 'approval-asked') continue
      host.memory.write('Plan.md', 'Other.\n')
      const { id, hash } = event.panel
      const results = [{ change: 0, text: 'Mine.\n' }]
      vault.approvalQueue.answer(id, { verdict: 'allow', results, hash, session: 's' })
    }
    expect(codes).toEqual(['conflict'])
    expect(new TextDecoder().decode(host.memory.snapshot().get('Plan.md'))).toBe('Other.\n')
  })

  it('is refused for a change that was not offered for editing', async () => {
    const host = await memoryHost(notes)
    const vault = vaultFromHost({ host, settings: configSchema.parse({}), approvalOptions: { remote: true } })
    const model = scriptedModel([{ call: [edit('Plan.md', 'Dig.', 'Dug.')] }, { say: 'ok' }])
    const session = await vault.openSession({ id: 's', model, consent: 'ask' })
    for await (const event of session.ask('Go')) {
      if (event.type !== 'approval-asked') continue
      const { id, hash } = event.panel
      const wrong = { verdict: 'allow' as const, results: [{ change: 7, text: 'Mine.\n' }] }
      expect(vault.approvalQueue.answer(id, { ...wrong, hash, session: 's' })).toMatchObject({ reason: 'invalid' })
      vault.approvalQueue.answer(id, { verdict: 'deny', hash, session: 's' })
    }
    expect(new TextDecoder().decode(host.memory.snapshot().get('Plan.md'))).toBe(notes['Plan.md'])
  })
})
