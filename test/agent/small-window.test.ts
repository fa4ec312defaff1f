import { afterEach, describe, expect, it } from 'vitest'
import type { AgentEvent, RunEnd } from '../../src/core/agent/index.js'
import { configSchema } from '../../src/core/config/index.js'
import { withDialect } from '../../src/core/dialects/index.js'
import { openModel } from '../../src/core/providers/index.js'
import { type SessionOptions, vaultFromHost } from '../../src/core/session/index.js'
import { memoryHost } from '../doubles/memory-host.js'
import { type OllamaSays, type OllamaServer, ollamaServer, type SeenRequest } from '../providers/ollama-server.js'

const cleanUps: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp()
})

/** About two hundred tokens each. */
const paragraph = (topic: string, at: number) =>
  `## ${topic} ${at}\n\n${`Of ${topic} in year ${at} there is much to tell: it rained, it was dry, and the beds were dug. `.repeat(8)}\n`

const note = (topic: string, paragraphs: number) =>
  `# ${topic}\n\n${Array.from({ length: paragraphs }, (_, at) => paragraph(topic, at)).join('\n')}`

const vaultFiles = {
  ...Object.fromEntries(
    ['Soil', 'Seeds', 'Water', 'Roses', 'Beans', 'Tools'].map((topic) => [`Garden/${topic}.md`, note(topic, 12)]),
  ),
  'Garden/Compost.md': '# Compost\n\nTurn the compost every second Saturday.\n',
  'Long.md': note('Long', 120),
}

interface Setup extends SessionOptions {
  window: number
  dialect?: 'native' | 'sentinel' | 'use-tool' | 'auto'
  files?: Record<string, string>
  settings?: object
}

async function stage(
  model: (request: SeenRequest) => OllamaSays,
  { files, dialect = 'native', settings = {}, ...options }: Setup,
) {
  // It gives as much as it is asked for, and what does not fit loses its beginning.
  const server = await ollamaServer({ model })
  const host = await memoryHost({ ...vaultFiles, ...files })
  host.openModel = async (name, _dialect, wish) => {
    const opened = await openModel(name, { environment: server.environment, fetch, ...wish })
    return { ...opened, model: withDialect(opened.model, { dialect, profile: opened.profile }) }
  }
  const vault = vaultFromHost({ host, settings: configSchema.parse(settings) })
  const session = await vault.openSession({ model: 'ollama/qwen3:8b', consent: 'auto', ...options })
  cleanUps.push(() => vault.close(), server.stop)
  const ask = async (text: string) => {
    const events: AgentEvent[] = []
    for await (const event of session.ask(text)) events.push(event)
    const notices = events.flatMap((event) => (event.type === 'notice' ? [event.text] : []))
    return { end: events.at(-1) as RunEnd, notices, events }
  }
  return { server, session, ask, text: (path: string) => host.memory.snapshot().get(path as never) }
}

function expectNothingLost({ seen }: OllamaServer): void {
  for (const { dropped, tokens, window } of seen) {
    expect(dropped).toBe(0)
    expect(tokens).toBeLessThan(window * 0.95)
  }
}

const lastText = ({ messages }: SeenRequest) => messages.at(-1)!.content
const call = (name: string, input: unknown): OllamaSays => ({ call: [{ name, input }] })

describe('a model with a small window', () => {
  it.each(['native', 'sentinel', 'use-tool'] as const)(
    'gets at most 1,800 tokens in the first request if it has 8k (%s), with the core tools',
    async (dialect) => {
      const files = { 'AGENTS.md': 'Write short sentences. Keep links as they are.\n'.repeat(200) }
      const { server, ask } = await stage(() => ({ say: 'Hello.' }), { window: 8192, dialect, files })
      await ask('When do I turn the compost?')
      const [{ tokens, messages, tools }] = server.seen
      expect(tokens).toBeLessThanOrEqual(1800)
      const offered = JSON.stringify([messages[0], tools])
      for (const name of [
        'search_notes',
        'read_note',
        'edit_note',
        'append_note',
        'rename_note',
        'create_daily_note',
      ]) {
        expect(offered).toContain(name)
      }
      expect(offered).not.toContain('convert_timezone')
    },
  )

  it('gets the core tools from the settings, and a larger one all tools', async () => {
    const tools = { core: ['search_notes', 'get_tag_list'] }
    const { server, ask } = await stage(() => ({ say: 'Hello.' }), { window: 8192, settings: { tools } })
    await ask('Hello?')
    expect(server.seen[0].tools.map((tool) => tool.function.name)).toEqual(['search_notes', 'get_tag_list'])
    const large = await stage(() => ({ say: 'Hello.' }), { window: 32_000 })
    await large.ask('Hello?')
    expect(large.server.seen[0].tools.length).toBeGreaterThan(15)
  })

  it.each([4096, 8192])('answers from the vault in vault-qa (%i tokens)', async (window) => {
    const { server, ask } = await stage(
      (request) => {
        const text = lastText(request)
        expect(text).toContain('When do I turn the compost?')
        const isThere = text.includes('every second Saturday')
        return { say: isThere ? '"Turn the compost every second Saturday." [[Garden/Compost]]' : 'I do not know.' }
      },
      { window, mode: 'vault-qa' },
    )
    const { end, events } = await ask('When do I turn the compost?')
    expect(end).toMatchObject({ reason: 'answered', text: expect.stringContaining('second Saturday') })
    expect(events.find(({ type }) => type === 'citations')).toMatchObject({ citations: [{ check: 'verbatim' }] })
    expectNothingLost(server)
  })

  it.each([4096, 8192])('completes a long conversation with reads and searches (%i tokens)', async (window) => {
    let asked = 0
    const isSummary = ({ messages }: SeenRequest) => messages[0].content.startsWith('You summarize')
    const script = (request: SeenRequest): OllamaSays => {
      if (isSummary(request)) return { say: 'They asked about the garden, and it rained.' }
      // Whatever was trimmed, the system message and what the user asks now are there.
      expect(request.messages[0].role).toBe('system')
      expect(JSON.stringify(request.messages)).toContain(`Question ${Math.floor(asked / 4)}?`)
      const step = asked++ % 4
      const topic = ['Soil', 'Seeds', 'Water', 'Roses', 'Beans', 'Tools'][Math.floor(asked / 4) % 6]
      if (step === 0) return call('search_notes', { query: `${topic} rain ${asked}` })
      if (step === 1) return call('read_note', { path: `Garden/${topic}.md` })
      if (step === 2) return call('read_note', { path: `Garden/${topic}.md`, part: 2 })
      return { say: `About ${topic}: it rained. [[Garden/${topic}]]` }
    }
    const { server, ask } = await stage(script, { window })
    const notices: string[] = []
    let compacted = 0
    for (let turn = 0; turn < 6; turn++) {
      const told = await ask(`Question ${turn}?`)
      expect(told.end).toMatchObject({ reason: 'answered' })
      notices.push(...told.notices)
      compacted += told.events.filter(({ type }) => type === 'compacted').length
    }
    expect(server.seen.filter((request) => !isSummary(request))).toHaveLength(24)
    expect(compacted).toBeGreaterThan(0)
    expectNothingLost(server)
    expect(notices.join('\n')).toMatch(/To fit the context window of \d,\d+ tokens: .*older (result|message)s? /)
  })

  it('reads all of a long note in parts that fit', async () => {
    let part = 0
    let parts = 1
    const heard: string[] = []
    const { server, ask } = await stage(
      (request) => {
        const result = request.messages.at(-1)!
        if (result.role === 'tool') {
          heard.push(result.content)
          parts = Number(/part \d+ of (\d+)/.exec(result.content)?.[1] ?? 1)
        }
        return part < parts ? call('read_note', { path: 'Long.md', part: ++part }) : { say: 'Read.' }
      },
      { window: 8192, maxSteps: 50 },
    )
    await ask('Read it all.')
    expect(parts).toBeGreaterThan(5)
    const found = new Set(heard.join('\n').match(/## Long \d+/g))
    expect(found.size).toBe(120)
    expectNothingLost(server)
  })

  it('gets only as much of several files as fits', async () => {
    const filePaths = ['Long.md', 'Garden/Soil.md', 'Garden/Seeds.md']
    const { server, ask } = await stage(
      ({ messages }) => (messages.at(-1)!.role === 'tool' ? { say: 'Read.' } : call('file_read', { filePaths })),
      { window: 8192 },
    )
    const { end } = await ask('Compare these.')
    expect(end).toMatchObject({ reason: 'answered', text: 'Read.' })
    expect(server.seen[1].messages.at(-1)!.content).toMatch(/Shortened to/)
    expectNothingLost(server)
  })

  it('gets no request that cannot fit, and the user reads which setting to change', async () => {
    const { server, ask } = await stage(() => ({ say: 'Hello.' }), { window: 4096 })
    const { end } = await ask(`What is this? ${'It goes on and on about the garden. '.repeat(800)}`)
    expect(server.seen).toHaveLength(0)
    expect(end).toMatchObject({
      reason: 'failed',
      failure: {
        text: expect.stringMatching(
          /^This needs a context window of about [\d,]+ tokens, but ollama\/qwen3:8b has 4,096\./,
        ),
        hint: expect.stringMatching(/notewright config set models\.ollama\/qwen3:8b\.window \d+$/),
      },
    })
  })

  it('gets a shorter request if its server says that the first was too long', async () => {
    // ggml-org/llama.cpp tools/server: exceed_context_size_error
    const error = 'request (5120 tokens) exceeds the available context size (4096 tokens), try increasing it'
    const sizes: number[] = []
    const { ask } = await stage(
      ({ messages, tokens }) => {
        sizes.push(tokens)
        if (tokens > 4000) return { error }
        const reads = messages.filter(({ role }) => role === 'tool').length
        return reads < 5 && sizes.length < 7
          ? call('read_note', { path: 'Long.md', part: sizes.length })
          : { say: 'Done.' }
      },
      { window: 8192 },
    )
    const { end } = await ask('Read the soil note.')
    expect(end).toMatchObject({ reason: 'answered', text: 'Done.' })
    expect(sizes.filter((tokens) => tokens > 4000)).toHaveLength(1)
  })

  it("gets tools as text if Ollama's API says that it supports none", async () => {
    // Body of /api/chat with status 400 as reported in ollama/ollama#14795, under another model’s name.
    const error = 'registry.ollama.ai/library/qwen3:8b does not support tools'
    const { server, ask } = await stage(
      ({ tools, messages }) => {
        if (tools.length > 0) return { error }
        const all = JSON.stringify(messages)
        const write = (name: string, args: object) => ({
          say: `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>`,
        })
        if (all.includes('pick_word')) return write('pick_word', { word: 'pear' })
        return all.includes('every second Saturday')
          ? { say: 'Every second Saturday.' }
          : write('read_note', { path: 'Garden/Compost.md' })
      },
      { window: 4096, dialect: 'auto' },
    )
    const { end } = await ask('When do I turn the compost?')
    expect(end).toMatchObject({ reason: 'answered', text: 'Every second Saturday.' })
    expectNothingLost(server)
  })

  it('has a notice if its answer reached the length limit', async () => {
    const { ask } = await stage(() => ({ say: 'And so it', cut: true }), { window: 8192 })
    const { end, notices } = await ask('Tell me all.')
    expect(end).toMatchObject({ reason: 'answered', text: 'And so it' })
    expect(notices.join()).toMatch(/The answer is incomplete.*models\.ollama\/qwen3:8b\.window 16384/)
  })

  it('is asked once more if its reply is empty, and then the found notes are listed', async () => {
    let silent = 0
    const script = ({ messages }: SeenRequest): OllamaSays => {
      if (messages.at(-1)!.role !== 'user') return call('search_notes', { query: `soil ${messages.length}` })
      if (messages.length === 2) return call('search_notes', { query: 'compost' })
      silent++
      return {}
    }
    const { ask } = await stage(script, { window: 8192, maxSteps: 3 })
    const { end } = await ask('When do I turn the compost?')
    expect(silent).toBe(2)
    expect(end.reason).toBe('step-limit')
    expect(end.text).toMatch(/ended without an answer. These notes were found:[\s\S]*\[\[Garden\/Compost\]\]/)
  })
})
