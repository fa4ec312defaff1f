import { describe, expect, it } from 'vitest'
import { type ScriptedStep, scriptedModel } from '../doubles/scripted-model.js'
import { playTurn } from './play.js'

const notes = { 'Inbox.md': '# Inbox\n', 'Soil.md': 'Compost feeds the soil.\n' }
const add = (content: string): ScriptedStep => ({
  call: [{ name: 'append_note', input: { path: 'Inbox.md', content } }],
})
const read: ScriptedStep = { call: [{ name: 'read_note', input: { path: 'Soil.md' } }] }

const play = (...steps: ScriptedStep[]) => playTurn(scriptedModel(steps), 'Do it.', { notes, level: 'auto' })

describe('a model that repeats itself', () => {
  it('makes a change once, and gets a remark about it', async () => {
    const model = scriptedModel([add('- milk'), add('- milk'), read, add('- milk'), { say: 'Done.' }])
    const { changed, log } = await playTurn(model, 'Add milk.', { notes, level: 'auto' })
    expect(changed).toEqual({ 'Inbox.md': '# Inbox\n- milk\n' })
    expect(log.calls.map(({ tool_name }) => tool_name)).toEqual(['append_note', 'read_note'])
    expect(JSON.stringify(model.prompts[2].prompt)).toContain(
      'This call repeats an earlier one, so it was not run again.',
    )
  })

  it('makes a change once when both calls are in one reply', async () => {
    const [call] = (add('- milk') as { call: [{ name: string; input: unknown }] }).call
    const { changed } = await play({ call: [call, call] }, { say: 'Done.' })
    expect(changed).toEqual({ 'Inbox.md': '# Inbox\n- milk\n' })
  })

  it('can make the same change again after another one', async () => {
    const { changed } = await play(add('- milk'), add('- bread'), add('- milk'), { say: 'Done.' })
    expect(changed).toEqual({ 'Inbox.md': '# Inbox\n- milk\n- bread\n- milk\n' })
  })

  it('can repeat a call that failed', async () => {
    const lost: ScriptedStep = {
      call: [{ name: 'edit_note', input: { path: 'Soil.md', old_text: 'x', new_text: 'y' } }],
    }
    const { log } = await play(lost, lost, { say: 'No.' })
    expect(log.calls).toHaveLength(2)
  })
})

describe('a model that forgets its sources', () => {
  const citations = async (...steps: ScriptedStep[]) =>
    (await play(...steps)).events.flatMap((event) => (event.type === 'citations' ? event.citations : []))

  it('has the notes it read listed as sources', async () => {
    expect(await citations(read, { say: 'Compost does.' })).toEqual([{ path: 'Soil.md', raw: '', check: 'read' }])
  })

  it('has none listed if it names one, has only searched, or changed something', async () => {
    expect(await citations(read, { say: 'Compost. [[Soil]]' })).toMatchObject([{ raw: '[[Soil]]', check: 'unquoted' }])
    expect(await citations(read, { say: 'Soil.md says: compost.' })).toEqual([])
    const search: ScriptedStep = { call: [{ name: 'search_notes', input: { query: 'soil' } }] }
    expect(await citations(search, { say: 'Compost does.' })).toEqual([])
    expect(await citations(read, add('- compost'), { say: 'Done.' })).toEqual([])
  })
})
