import { describe, expect, it } from 'vitest'
import { type MemoryHost, memoryHost } from '../../../test/doubles/memory-host.js'
import { type ScriptedStep, scriptedModel } from '../../../test/doubles/scripted-model.js'
import { pngOf, sampleFiles } from '../../../test/samples/sample-files.js'
import type { AgentEvent } from '../agent/index.js'
import { configSchema } from '../config/index.js'
import { base64 } from '../files.js'
import { profileFor } from '../model/index.js'
import { vaultFromHost } from './opened-vault.js'
import type { Request, SessionOptions } from './session.js'
import { forkSession } from './stored-sessions.js'

const { png, jpeg, pdf } = sampleFiles
const notes = {
  'Garden.md': 'The bed: ![[bed.png]] and ![the plan](Files/plan.pdf), not ![[song.mp3]].\n',
  'Files/Note.md': 'A note beside the pictures.\n',
  'Files/bed.png': png,
  'Files/plan.pdf': pdf,
  'Files/cut.png': png.subarray(0, 40),
  'Files/text.png': 'Not a picture at all.',
  'song.mp3': Uint8Array.of(1, 2, 3),
  'Hidden/secret.png': jpeg,
  'Hidden/Diary.md': '---\nprivate: true\n---\n![[bed.png]]\n',
}

function openOn(host: MemoryHost, settings: object = {}) {
  const vault = vaultFromHost({ host, settings: configSchema.parse(settings), approvalOptions: { remote: true } })
  /** A model with this name: its family decides whether it accepts pictures. */
  const open = async (modelId: string, script: readonly ScriptedStep[], options: SessionOptions = {}) => {
    const model = { ...scriptedModel(script), modelId }
    return { session: await vault.openSession({ id: 's', model, ...options }), model }
  }
  return { vault, open }
}

const done: ScriptedStep = { say: 'Done.' }

async function ask(session: { ask(request: string | Request): AsyncGenerator<AgentEvent> }, request: string | Request) {
  const events: AgentEvent[] = []
  for await (const event of session.ask(request)) events.push(event)
  return events
}

const noticesOf = (events: AgentEvent[]) => events.flatMap((event) => (event.type === 'notice' ? [event.text] : []))

/** The files that were in a request, by the bytes. */
function sentIn(model: ReturnType<typeof scriptedModel>, at = 0): { mediaType: string; data: unknown }[] {
  return model.prompts[at].prompt.flatMap(({ role, content }) =>
    role === 'user' ? content.flatMap((part) => (part.type === 'file' ? [part] : [])) : [],
  )
}

const promptOf = (model: ReturnType<typeof scriptedModel>, at = 0) => JSON.stringify(model.prompts[at].prompt)

describe('a picture named with @', () => {
  it('is looked up, ruled on like a note, and sent as it is', async () => {
    const host = await memoryHost(notes)
    const { session, model } = await openOn(host).open('gpt-4o', [done])
    const events = await ask(session, 'What grows in @bed.png and @"Files/plan.pdf"?')
    expect(sentIn(model)).toEqual([
      expect.objectContaining({ mediaType: 'image/png', data: base64(png) }),
      expect.objectContaining({ mediaType: 'application/pdf', data: base64(pdf) }),
    ])
    expect(promptOf(model)).toContain('What grows in @bed.png and')
    const looked = host.log.calls.map(({ tool_name, arguments: given }) => `${tool_name} ${JSON.stringify(given)}`)
    expect(looked.sort()).toEqual(['view_file {"path":"Files/bed.png"}', 'view_file {"path":"Files/plan.pdf"}'])
    expect(noticesOf(events)).toEqual([])
  })

  it.each([
    ['@cut.png', 'Files/cut.png is a damaged or incomplete PNG picture.'],
    ['@text.png', 'Files/text.png is not a picture (PNG, JPEG, WebP, GIF) or a PDF.'],
    ['@bad.png', 'File not found: bad.png. Did you mean bed.png?'],
    ['@../outside.png', 'Path must be within vault directory'],
  ])('%s is not sent, and the person and the model hear why', async (words, why) => {
    const { session, model } = await openOn(await memoryHost(notes)).open('gpt-4o', [done])
    const events = await ask(session, `Look at ${words}`)
    expect(sentIn(model)).toEqual([])
    expect(noticesOf(events)).toEqual([expect.stringContaining(`Not done: ${why}`)])
    expect(promptOf(model)).toContain(why.slice(0, 20))
  })

  it('that is excluded, denied or outside the project is not there', async () => {
    const projects = { here: { folders: ['Files'] } }
    const cases: [object, SessionOptions][] = [
      [{}, { deny: ['reads(folder:Hidden)'] }],
      [{ projects }, { project: 'here' }],
    ]
    for (const [settings, options] of cases) {
      const { session, model } = await openOn(await memoryHost(notes), settings).open('gpt-4o', [done], options)
      await ask(session, 'Look at @Hidden/secret.png and @bed.png')
      expect(sentIn(model).map(({ mediaType }) => mediaType)).toEqual(['image/png'])
      expect(promptOf(model)).not.toContain(base64(jpeg).slice(0, 60))
    }
    const host = await memoryHost({ ...notes, '.notewrightignore': 'Hidden/\n' })
    const { session, model } = await openOn(host).open('gpt-4o', [done])
    await ask(session, 'Look at @Hidden/secret.png')
    expect(sentIn(model)).toEqual([])
  })

  it('that a rule asks about is shown to the user before it is sent', async () => {
    const { vault, open } = openOn(await memoryHost({ ...notes }))
    const { session, model } = await open('gpt-4o', [done], { deny: [], consent: 'ask-all' })
    const asked: string[] = []
    for await (const event of session.ask('Look at @bed.png')) {
      if (event.type !== 'approval-asked') continue
      asked.push(JSON.stringify(event.panel))
      vault.approvalQueue.answer(event.panel.id, { verdict: 'deny', hash: event.panel.hash, session: 's' })
    }
    expect(asked).toEqual([expect.stringContaining('Files/bed.png')])
    expect(sentIn(model)).toEqual([])
  })
})

describe('a note that the user chose', () => {
  it('is read with the pictures and PDFs in it', async () => {
    const host = await memoryHost(notes)
    const { session, model } = await openOn(host).open('claude-sonnet-4', [done])
    await ask(session, 'What is in @[[Garden]]?')
    expect(sentIn(model).map(({ mediaType }) => mediaType)).toEqual(['image/png', 'application/pdf'])
  })

  it('is read without them by a model without vision, and the user is notified', async () => {
    const { session, model } = await openOn(await memoryHost(notes)).open('llama3.1', [done])
    const events = await ask(session, 'What is in @[[Garden]]?')
    expect(sentIn(model)).toEqual([])
    expect(noticesOf(events)).toEqual([
      "Files/bed.png and 1 more were not sent: scripted/llama3.1 doesn't accept pictures.",
    ])
  })
})

it('a picture is no riddle for the search without a model', async () => {
  const host = await memoryHost({ ...notes, 'Beans.md': 'Beans climb poles.\n' })
  const session = await openOn(host).vault.openSession({ model: 'offline' })
  const events = await ask(session, {
    text: 'What climbs poles, as in @bed.png?',
    files: [{ name: 'a.gif', bytes: png }],
  })
  expect(noticesOf(events)).toEqual([
    "a.gif was not sent: offline doesn't accept pictures.",
    "Files/bed.png was not sent: offline doesn't accept pictures.",
  ])
  const queries = events.flatMap((event) => (event.type === 'tool-call' ? [JSON.stringify(event.call.input)] : []))
  expect(queries.join(' ')).not.toMatch(/picture|shown|result of/)
  expect(JSON.stringify(events.at(-1))).toContain('Beans climb poles.')
})

describe('a model that asks to see a file', () => {
  it('gets it after the result', async () => {
    const call = [{ name: 'view_file', input: { path: 'Files/bed.png' } }]
    const { session, model } = await openOn(await memoryHost(notes)).open('gpt-4o', [{ call }, done])
    await ask(session, 'What is in the bed?')
    expect(model.prompts[1].prompt.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'user'])
    expect(sentIn(model, 1)).toEqual([expect.objectContaining({ data: base64(png) })])
  })

  it('is offered the tool only where it sees anything', async () => {
    for (const [name, isOffered] of [
      ['gpt-4o', true],
      ['gpt-3.5-turbo', false],
    ] as const) {
      const { session, model } = await openOn(await memoryHost(notes)).open(name, [done])
      await ask(session, 'Hello')
      expect(model.prompts[0].tools?.some((tool) => tool.name === 'view_file')).toBe(isOffered)
    }
  })
})

describe('a file that is handed over', () => {
  const leaf = { name: 'leaf.jpg', bytes: jpeg }

  it('is sent, named in the events, and its bytes are in none of them', async () => {
    const host = await memoryHost(notes)
    const { session, model } = await openOn(host).open('gpt-4o', [done])
    const events = await ask(session, {
      text: 'Which plant?',
      files: [leaf, { name: 'a.txt', bytes: new Uint8Array([72]) }],
    })
    expect(sentIn(model)).toEqual([expect.objectContaining({ mediaType: 'image/jpeg', data: base64(jpeg) })])
    expect(events[0]).toMatchObject({ type: 'run-start', attached: ['a.txt', 'leaf.jpg'] })
    expect(JSON.stringify(events)).not.toContain(base64(jpeg).slice(0, 60))
    expect(JSON.parse(JSON.stringify(events))).toEqual(events)
    expect(promptOf(model)).not.toContain('sha256:')
  })

  it.each([
    ['llama3.1', "leaf.jpg was not sent: scripted/llama3.1 doesn't accept pictures."],
    [
      'claude-sonnet-4',
      'leaf.jpg was not sent: it is 4.0 MB, and scripted/claude-sonnet-4 accepts pictures up to 3.9 MB.',
    ],
  ])('is a sentence for %s, and the person hears of it once', async (name, notice) => {
    const { session, model } = await openOn(await memoryHost(notes)).open(name, [done])
    const events = await ask(session, { text: 'Which plant?', files: [{ name: 'leaf.jpg', bytes: pngOf(9, 9, 4e6) }] })
    expect(noticesOf(events)).toEqual([notice])
    expect(sentIn(model)).toEqual([])
    expect(promptOf(model)).toMatch(/leaf\.jpg.*(You cannot see it|too large to be shown)/)
    expect(noticesOf(await ask(session, 'And now?'))).toEqual([])
  })

  it('is accepted by a model that the user has configured for pictures', async () => {
    const settings = { models: { 'scripted/own': { pictures: true } } }
    const { session, model } = await openOn(await memoryHost(notes), settings).open('own', [done])
    await ask(session, { text: 'Which plant?', files: [leaf] })
    expect(sentIn(model)).toHaveLength(1)
  })

  it('is available when the session continues, in a fork too', async () => {
    const host = await memoryHost(notes)
    const { session } = await openOn(host).open('gpt-4o', [done])
    await ask(session, { text: 'Which plant?', files: [leaf] })
    await session.close()
    const { id } = await forkSession(host.sessions, 's', { now: new Date() })
    for (const each of ['s', id]) {
      const { session: again, model } = await openOn(host).open('gpt-4o', [done], { id: each })
      await ask(again, 'And how tall?')
      expect(sentIn(model)).toEqual([expect.objectContaining({ data: base64(jpeg) })])
    }
  })

  it('that fails is reported before anything begins', async () => {
    const { session, model } = await openOn(await memoryHost(notes)).open('gpt-4o', [done])
    const files = [{ name: 'cut.png', bytes: png.subarray(0, 40) }]
    await expect(ask(session, { text: 'Which?', files })).rejects.toMatchObject({ code: 'invalid-input' })
    expect(model.prompts).toEqual([])
  })
})

it('a picture that has changed or is gone when the session continues is reported, and not sent', async () => {
  const host = await memoryHost(notes)
  const { session } = await openOn(host).open('gpt-4o', [done])
  await ask(session, 'What grows in @bed.png?')
  await session.close()
  const left = await memoryHost({ ...notes, 'Files/bed.png': jpeg })
  const { vault, open } = openOn({ ...left, sessions: host.sessions })
  const { session: again, model } = await open('gpt-4o', [done])
  const events = await ask(again, 'And how tall?')
  expect(noticesOf(events)).toEqual(['Files/bed.png was not sent again: it no longer exists or has changed.'])
  expect(sentIn(model)).toEqual([])
  expect(promptOf(model)).toContain('is no longer available')
  await vault.close()
})

it('pictures count in the window: older ones are left out first, and too many are refused in a sentence', async () => {
  const host = await memoryHost(notes)
  const model = scriptedModel([done])
  const opened = { name: 'own/gpt-4o', provider: 'own', model, profile: profileFor('gpt-4o') }
  host.openModel = async () => ({ ...opened, window: async () => ({ tokens: 16_000, from: 'profile', hint: '' }) })
  const session = await openOn(host).vault.openSession({ model: 'own/gpt-4o' })
  const large = (at: number) => ({ name: `${at}.png`, bytes: pngOf(1500, 1500 + at) })
  for (let at = 0; at < 9; at++) await ask(session, { text: `Picture ${at}`, files: [large(at)] })
  const last = sentIn(model, model.prompts.length - 1)
  expect(last.length).toBeGreaterThan(0)
  expect(last.length).toBeLessThan(9)
  expect(last.at(-1)!.data).toBe(base64(large(8).bytes))
  const events = await ask(session, { text: 'All', files: [0, 1, 2, 3, 4, 5, 6, 7, 8].map(large) })
  expect(events.at(-1)).toMatchObject({ reason: 'failed', failure: { data: { kind: 'context' } } })
})
