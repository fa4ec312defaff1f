import { describe, expect, it } from 'vitest'
import { type ScriptedStep, scriptedModel } from '../../src/core/agent/testing/scripted-model.js'
import { playTurn } from './play.js'

const notes = { 'Inbox.md': '# Inbox\n', 'Soil.md': 'Compost feeds the soil.\n' }
const add = (content: string): ScriptedStep => ({
  call: [{ name: 'append_note', input: { path: 'Inbox.md', content } }],
})
const read: ScriptedStep = { call: [{ name: 'read_note', input: { path: 'Soil.md' } }] }

const play = (...steps: ScriptedStep[]) => playTurn(scriptedModel(steps), 'Do it.', { notes, level: 'auto' })

describe('a model that repeats itself', () => {
  it('makes a change once, and is told so', async () => {
    const model = scriptedModel([add('- milk'), add('- milk'), read, add('- milk'), { say: 'Done.' }])
    const { changed, log } = await playTurn(model, 'Add milk.', { notes, level: 'auto' })
    expect(changed).toEqual({ 'Inbox.md': '# Inbox\n- milk\n' })
    expect(log.calls.map(({ tool_name }) => tool_name)).toEqual(['append_note', 'read_note'])
    expect(JSON.stringify(model.prompts[2].prompt)).toContain('nothing more was done')
  })

  it('makes it once when both calls come in one reply, too', async () => {
    const [call] = (add('- milk') as { call: [{ name: string; input: unknown }] }).call
    const { changed } = await play({ call: [call, call] }, { say: 'Done.' })
    expect(changed).toEqual({ 'Inbox.md': '# Inbox\n- milk\n' })
  })

  it('may make the same change again after another one', async () => {
    const { changed } = await play(add('- milk'), add('- bread'), add('- milk'), { say: 'Done.' })
    expect(changed).toEqual({ 'Inbox.md': '# Inbox\n- milk\n- bread\n- milk\n' })
  })

  it('tries again what has failed', async () => {
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

  it('is shown with the notes it has read', async () => {
    expect(await citations(read, { say: 'Compost does.' })).toEqual([{ path: 'Soil.md', raw: '', check: 'read' }])
  })

  it('is not, when it names one, has only searched, or was to change something', async () => {
    expect(await citations(read, { say: 'Compost. [[Soil]]' })).toMatchObject([{ raw: '[[Soil]]', check: 'unquoted' }])
    expect(await citations(read, { say: 'Soil.md says: compost.' })).toEqual([])
    const search: ScriptedStep = { call: [{ name: 'search_notes', input: { query: 'soil' } }] }
    expect(await citations(search, { say: 'Compost does.' })).toEqual([])
    expect(await citations(read, add('- compost'), { say: 'Done.' })).toEqual([])
  })
})
