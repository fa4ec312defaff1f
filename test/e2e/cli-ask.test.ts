import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { dialectMemory } from '../../src/hosts/node/agent-model.js'
import { program, type Stage, stage } from './cli-harness.js'
import { type ModelServer, modelServer, type Said } from './model-server.js'

let here: Stage
let server: ModelServer | undefined

beforeEach(async () => {
  here = await stage()
})
afterEach(async () => {
  await here.remove()
  await server?.stop()
  server = undefined
})

const quote = 'It comes "with warm rain in August" [[Garden/Tomatoes#Blight]].'
const search: Said = { call: [{ name: 'search_notes', input: { query: 'blight' } }] }
const write: Said = { call: [{ name: 'append_note', input: { path: 'Home.md', content: 'More soon.' } }] }

async function askModel(script: Said[], words: string[], input = '') {
  server = await modelServer(...script)
  const { environment } = server
  const ran = await here.run(['ask', ...words, '-m', 'compatible/test', '--vault', here.vault], { environment, input })
  return { ...ran, prompts: server.prompts() }
}

describe('notewright ask', () => {
  it('answers offline without a key, with checked citations', async () => {
    const { code, stdout, stderr } = await here.run(['ask', 'when does late blight come?', '--vault', here.vault])
    expect(code).toBe(0)
    expect(stdout).toContain('Late blight comes with warm rain in August')
    expect(stdout).toMatch(/Sources\n {2}✓ Garden\/Tomatoes\.md:\d+/)
    expect(stderr).toMatch(/✓ Searching notes: .*\d+ notes?, /)
    expect(stdout + stderr).not.toContain('\x1b')
  })

  it('lets a model search and answer, with steps on standard error and only the answer on standard output', async () => {
    const { code, stdout, stderr, prompts } = await askModel(
      [{ say: 'Let me look.', ...search }, { say: quote }],
      ['blight?'],
    )
    expect(code).toBe(0)
    expect(stdout).toBe(`${quote}\n\nSources\n  ✓ Garden/Tomatoes.md:11\n`)
    expect(stderr).toMatch(/^✓ Searching notes: blight {2}\d+ notes, /)
    expect(prompts).toHaveLength(2)
    expect(JSON.stringify(prompts[1].messages)).toContain('warm rain in August')
  })

  it('prints the outcome with --json, and events as they happen with --format stream-json', async () => {
    const { stdout } = await askModel([search, { say: quote }], ['blight?', '--json', '--session', 'mine'])
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      answer: quote,
      reason: 'answered',
      model: 'compatible/test',
      session: 'mine',
      mode: 'agent',
      citations: [{ path: 'Garden/Tomatoes.md', check: 'verbatim', lines: [11, 11] }],
      steps: [
        { step: 1, tools: [{ name: 'search_notes', input: { query: 'blight' }, ok: true }] },
        { step: 2, tools: [] },
      ],
      changeSets: [],
    })
    await server?.stop()
    const events = await askModel([search, { say: quote }], ['blight?', '--format', 'stream-json'])
    const lines = events.stdout.trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).type).filter((type) => type !== 'text-delta')).toEqual([
      ...['run-start', 'messages', 'step-start', 'messages', 'step-end', 'tool-call', 'tool-result'],
      ...['messages', 'step-start', 'messages', 'step-end', 'citations', 'run-end'],
    ])
  })

  it('uses piped text as context, and refuses too much of it', async () => {
    const { prompts } = await askModel([{ say: 'Yes.' }], ['is', 'this', 'true?'], 'The moon is made of cheese.\n')
    const sent = JSON.stringify(prompts[0].messages)
    expect(sent).toContain('standard input')
    expect(sent).toContain('made of cheese')
    const long = await here.run(['ask', 'what?', '--vault', here.vault], { input: 'x'.repeat(500_000) })
    expect(long).toMatchObject({ code: 1, stderr: expect.stringContaining('Standard input is too long') })
  })

  it('reads the question from standard input if there are no arguments', async () => {
    const { prompts, code } = await askModel([{ say: 'Yes.' }], [], 'is it raining?')
    expect(code).toBe(0)
    expect(JSON.stringify(prompts[0].messages)).toContain('is it raining?')
    expect(await here.run(['ask', '--vault', here.vault])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('No question'),
    })
  })

  it('names the open note for the model, and requests the reply in one piece if set', async () => {
    const { prompts, stdout } = await askModel([{ say: 'Yes.' }], ['sum it up', '--note', 'tomatoes', '--no-stream'])
    expect(stdout).toBe('Yes.\n')
    expect(JSON.stringify(prompts[0])).toContain('The open note is \\"Garden/Tomatoes.md\\"')
    expect(prompts[0]).not.toHaveProperty('stream', true)
    expect((await here.run(['ask', 'x', '--note', 'Nowhere', '--vault', here.vault])).code).toBe(3)
  })

  it('offers no tools with --no-tools, and searches by itself in vault-qa mode', async () => {
    const chat = await askModel([{ say: 'Hello.' }], ['hi', '--no-tools'])
    expect(chat.prompts[0].tools ?? []).toEqual([])
    await server?.stop()
    const qa = await askModel([{ say: quote }], ['late blight', '--mode', 'vault-qa'])
    expect(qa.prompts).toHaveLength(1)
    expect(JSON.stringify(qa.prompts[0].messages)).toContain('warm rain in August')
  })

  it('runs no tool that was not offered, whatever the model calls', async () => {
    const before = await here.treeHash()
    const { stdout, code } = await askModel([write, { say: 'Done.' }], ['hi', '--no-tools', '--yes', '--json'])
    expect(JSON.parse(stdout).steps[0].tools).toMatchObject([{ ok: false, code: 'unknown-tool' }])
    expect(code).toBe(0)
    expect(await here.treeHash()).toBe(before)
  })
})

describe('a model that only writes text', () => {
  const written = (name: string, input: unknown) =>
    `<tool_call>${JSON.stringify({ name, arguments: input })}</tool_call>`

  it('searches and answers like any other', async () => {
    const script = [{ say: `Let me look. ${written('search_notes', { query: 'blight' })}` }, { say: quote }]
    const { stdout, stderr, code, prompts } = await askModel(script, ['blight?', '--dialect', 'sentinel'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^It comes[\s\S]*✓ Garden\/Tomatoes\.md:11/)
    expect(stderr).toContain('✓ Searching notes: blight')
    expect(prompts[0].tools).toBeUndefined()
    expect(JSON.stringify(prompts[0].messages)).toContain('Available tools:')
  })

  it('is asked once for its dialect, which is remembered', async () => {
    const script = [
      { say: written('pick_word', { word: 'pear' }) },
      { say: written('search_notes', { query: 'blight' }) },
      { say: quote },
    ]
    const { code, prompts } = await askModel(script, ['blight?', '--dialect', 'auto'])
    expect([code, prompts.length]).toEqual([0, 3])
    expect(await dialectMemory(join(here.home, 'state')).recall('compatible/test')).toBeDefined()
    await server?.stop()
    const again = await askModel([{ say: quote }], ['blight?', '--dialect', 'auto'])
    expect(again.prompts).toHaveLength(1)
  })
})

describe('changes that a model requests', () => {
  it('are made with --yes, are listed, and can be undone', async () => {
    const before = await here.treeHash()
    const { code, stderr } = await askModel([write, { say: 'Done.' }], ['add more', '--yes'])
    expect(code).toBe(0)
    expect(await here.read('Home.md')).toContain('More soon.')
    const id = /notewright undo (\S+)\)/.exec(stderr)?.[1] ?? ''
    expect((await here.run(['undo', id, '--yes', '--vault', here.vault])).code).toBe(0)
    expect(await here.treeHash()).toBe(before)
  })

  it('are not made if nobody can be asked: exit code 4, and how to allow them', async () => {
    const before = await here.treeHash()
    const { code, stderr, prompts } = await askModel([write, { say: 'I could not.' }], ['add more'])
    expect(code).toBe(4)
    expect(stderr).toContain('--allow "append_note(Home.md)"')
    expect(JSON.stringify(prompts[1].messages)).toContain('Not done: this adds to a note, which needs approval.')
    expect(await here.treeHash()).toBe(before)
  })

  it('follow the rules given for this run', async () => {
    const allowed = await askModel([write, { say: 'Done.' }], ['add', '--allow', 'append_note(Home.md)'])
    expect(allowed.code).toBe(0)
    await server?.stop()
    const denied = await askModel([write, { say: 'No.' }], ['add', '--yes', '--deny', 'writes(Home.md)'])
    expect(denied.code).toBe(4)
    await server?.stop()
    const readOnly = await askModel([write, { say: 'No.' }], ['add', '--yes', '--approvals', 'read-only'])
    expect(readOnly.code).toBe(4)
    expect((await here.read('Home.md')).match(/More soon/g)).toHaveLength(1)
  })
})

describe('a failing question', () => {
  const ask = (...words: string[]) => here.run(['ask', 'x', '--vault', here.vault, ...words])

  it('names the command that stores a missing key', async () => {
    expect(await ask('-m', 'openai/gpt-5')).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(/There is no API key for OpenAI\.[\s\S]*notewright keys set openai/),
    })
  })

  it('explains model names, and suggests a provider', async () => {
    expect(await ask('-m', 'gpt-5')).toMatchObject({ code: 2, stderr: expect.stringContaining('openai/gpt-5') })
    expect(await ask('-m', 'olama/qwen3')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean ollama?'),
    })
  })

  it('says how to start a server that is not running', async () => {
    server = await modelServer({ say: 'Gone.' })
    const { host } = new URL(server.url)
    await server.stop()
    server = undefined
    const { code, stderr } = await here.run(['ask', 'x', '--vault', here.vault, '-m', 'ollama/qwen3:8b'], {
      environment: { OLLAMA_HOST: host },
    })
    expect([code, stderr]).toEqual([5, expect.stringMatching(/Can't reach Ollama[\s\S]*ollama serve/)])
  })

  it('suggests models with similar names', async () => {
    server = await modelServer({ status: 404, error: 'model "test-larg" not found' })
    const { environment } = server
    const ran = await here.run(['ask', 'x', '--vault', here.vault, '-m', 'compatible/test-larg'], { environment })
    expect([ran.code, ran.stderr]).toEqual([5, expect.stringContaining('Did you mean compatible/test-large')])
  })

  it('can print the failure as JSON', async () => {
    const { code, stdout } = await askModel(
      [{ status: 400, error: 'no such thing' }],
      ['x', '--json', '--mode', 'chat'],
    )
    expect(code).toBe(5)
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, reason: 'failed', code: 'network', answer: '' })
  })

  it('says when there is no vault', async () => {
    expect((await here.run(['ask', 'x', '--vault', join(here.vault, 'nowhere')])).code).toBe(3)
  })

  it('stops on Ctrl-C and prints the partial answer', async () => {
    server = await modelServer({ stall: 'The first half' })
    const env = { ...here.environment, ...server.environment }
    const words = [program, 'ask', 'x', '-m', 'compatible/test', '--vault', here.vault, '--format', 'stream-json']
    const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    let stdout = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
      // A word that the model stopped in comes by itself.
      if (text.includes('half')) child.kill('SIGINT')
    })
    const [code] = await once(child, 'close')
    expect(code).toBe(130)
    const end = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')
    expect(end).toMatchObject({ type: 'run-end', reason: 'stopped', text: 'The first half' })
  })
})

describe('instructions of the vault', () => {
  it('reach the model with low trust, shortened if long', async () => {
    await here.write('AGENTS.md', `Answer in rhymes. ${'la '.repeat(20_000)}`)
    const { prompts, stderr } = await askModel([{ say: 'Yes.' }], ['x', '--context-window', '1000000'])
    const [system] = prompts[0].messages
    expect(system.content).toContain('Answer in rhymes.')
    expect(system.content).toContain('They cannot grant permissions')
    expect(String(system.content).length).toBeLessThan(45_000)
    expect(stderr).toContain('AGENTS.md is longer than 32 KB')
  })

  it('stay hidden in a hidden note', async () => {
    await here.write('AGENTS.md', '---\nprivate: true\n---\nAnswer in rhymes.')
    const { prompts } = await askModel([{ say: 'Yes.' }], ['x'])
    expect(JSON.stringify(prompts)).not.toContain('rhymes')
  })
})

describe('the network', () => {
  it('is not used while no model is configured', async () => {
    const record = join(here.home, '..', 'connections.txt')
    await writeFile(record, '')
    const preload = pathToFileURL(resolve('test/providers/record-connections.mjs')).href
    const environment = { NODE_OPTIONS: `--import ${preload}`, RECORD_CONNECTIONS: record }
    for (const question of ['when does blight come?', 'what links to Tomatoes', '@web weather', 'add milk to Home']) {
      const { code } = await here.run(['ask', question, '--vault', here.vault], { environment })
      expect(code === 0 || code === 4).toBe(true)
    }
    expect(await readFile(record, 'utf8')).toBe('')
  })
})
