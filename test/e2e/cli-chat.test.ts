import { existsSync } from 'node:fs'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { program, type Stage, stage } from './cli-harness.js'
import { type ModelServer, modelServer, type Said } from './model-server.js'
import { atTerminal, noPty, type PtyProgram } from './pty.js'

let here: Stage
let chat: PtyProgram | undefined
let server: ModelServer | undefined

beforeEach(async () => {
  here = await stage()
})
afterEach(async () => {
  chat?.kill()
  await chat?.exit()
  await server?.stop()
  await here.remove()
  chat = undefined
  server = undefined
})

const keys = {
  enter: '\r',
  escape: '\x1b',
  altEnter: '\x1b\r',
  shiftTab: '\x1b[Z',
  up: '\x1b[A',
  tab: '\t',
  interrupt: '\x03',
  end: '\x04',
}

async function open(script: Said[] = [], words: string[] = []): Promise<PtyProgram> {
  if (script.length > 0) server = await modelServer(...script)
  const model = script.length > 0 ? ['-m', 'compatible/test'] : []
  const command = [process.execPath, program, ...(script.length > 0 || words.length > 0 ? ['chat'] : []), ...model]
  chat = atTerminal([...command, ...words, '--vault', here.vault], { ...here.environment, ...server?.environment })
  await chat.sees('approvals: ask')
  return chat
}

const write: Said = { call: [{ name: 'append_note', input: { path: 'Home.md', content: 'More soon.' } }] }

describe.skipIf(noPty !== undefined)(`the chat at a terminal${noPty ? ` (${noPty})` : ''}`, () => {
  it('answers, keeps the input history, and restores the terminal, without any connection', async () => {
    const record = join(here.home, '..', 'connections')
    const preload = pathToFileURL(resolve('test/providers/record-connections.mjs')).href
    Object.assign(here.environment, { NODE_OPTIONS: `--import=${preload}`, RECORD_CONNECTIONS: record })
    const { send, sees, exit, raw } = await open()
    send(`when does late blight come?${keys.enter}`)
    expect(await sees(/Sources[\s\S]*approvals: ask/)).toContain('Late blight comes with warm rain in August')
    send(keys.up)
    await sees('when does late blight come?')
    send('\x15')
    send(keys.end)
    expect(await exit()).toBe(0)
    expect(raw().trimEnd().endsWith('\x1b[?2004l')).toBe(true)
    const history = join(here.home, 'state', 'chat-history.jsonl')
    expect(await readFile(history, 'utf8')).toBe('"when does late blight come?"\n')
    expect((await stat(history)).mode & 0o777).toBe(0o600)
    expect(existsSync(record)).toBe(false)
  })

  it('uses notes changed since the last turn, and none that became private', async () => {
    const { send, sees, exit, raw } = await open()
    send(`when does late blight come?${keys.enter}`)
    await sees(/Sources[\s\S]*approvals: ask/)
    await here.write('Owls.md', 'The barn owl nests in the old tower since March.\n')
    send(`where does the barn owl nest?${keys.enter}`)
    await sees(/old tower[\s\S]*Owls[\s\S]*approvals: ask/)
    await here.write('Owls.md', '---\nprivate: true\n---\nThe barn owl nests in the old tower since April.\n')
    send(`and the barn owl of April?${keys.enter}`)
    await sees(/of April\?[\s\S]*I found nothing about[\s\S]*approvals: ask/)
    send(keys.end)
    expect(await exit()).toBe(0)
    expect(raw()).not.toContain('since April')
  })

  it('accepts input during a first index, and answers once the text is indexed', async () => {
    const words = 'garden roof winter river letter bread stone copper window signal'.split(' ')
    for (let at = 0; at < 600; at++) {
      await here.write(
        `Many/Note ${at}.md`,
        `# Note ${at}\n\n${words.map((word) => `${word} ${at}`).join(' ')}\n`.repeat(20),
      )
    }
    const { send, sees, exit } = await open()
    send(`when does late blight come?${keys.enter}`)
    expect(await sees(/Sources[\s\S]*approvals: ask/)).toContain('Late blight comes with warm rain in August')
    send('@Note 59')
    await sees('Note 590')
    send('\x15')
    send(keys.end)
    expect(await exit()).toBe(0)
  })

  it('shows questions that these notes answer, and answers them', async () => {
    await here.write(
      'Garden/Roof.md',
      '# Garden roof\n\n## Why does the shed gutter leak?\n\nThe gutter over the shed leaks since the storm of March.\n',
    )
    const { send, sees, shown } = await open()
    if (!shown().includes('Try asking:')) await sees('Try asking:')
    const question = /Why does the shed gutter leak\?/.exec(shown())?.[0]
    send(`${question}${keys.enter}`)
    expect(await sees(/Sources[\s\S]*approvals: ask/)).toContain('leaks since the storm of March')
  })

  it('remembers the conversation, and forgets it with /clear', async () => {
    const { send, sees } = await open([{ say: 'Blue.' }, { say: 'As I said.' }, { say: 'Which?' }])
    send(`which colour?${keys.enter}`)
    await sees(/Blue\.[\s\S]*approvals/)
    send(`why?${keys.enter}`)
    await sees(/As I said\.[\s\S]*approvals/)
    send(`/clear${keys.enter}`)
    await sees(/New chat\.[\s\S]*approvals/)
    send(`why?${keys.enter}`)
    await sees(/Which\?[\s\S]*approvals/)
    const spoken = server!.prompts().map(({ messages }) => messages.slice(1).map(({ role }) => role))
    expect(spoken).toEqual([['user'], ['user', 'assistant', 'user'], ['user']])
  })

  it('shows the diff before a change, makes it on y, and undoes it with /undo', async () => {
    const before = await here.treeHash()
    const { send, sees } = await open([write, { say: 'Done.' }])
    send(`add more${keys.enter}`)
    const panel = await sees(/Approve\? \[y\/N\][\s\S]*› /)
    expect(panel).toContain('More soon.')
    expect(await here.treeHash()).toBe(before)
    // One key is an answer.
    send('y')
    await sees(/Done\.[\s\S]*\/undo to undo[\s\S]*approvals/)
    expect(await here.read('Home.md')).toContain('More soon.')
    send(`/undo${keys.enter}`)
    expect(await sees('Undo this? [y/N]')).toContain('More soon.')
    send('y')
    await sees(/Undid 1 change\.[\s\S]*approvals/)
    expect(await here.treeHash()).toBe(before)
  })

  it('treats Enter alone and Esc as no', async () => {
    const before = await here.treeHash()
    const { send, sees } = await open([write, { say: 'Then not.' }, write, { say: 'Not then.' }])
    send(`add more${keys.enter}`)
    await sees(/Approve\?[\s\S]*› /)
    send(keys.enter)
    await sees(/Then not\.[\s\S]*approvals/)
    send(`add more${keys.enter}`)
    await sees(/Approve\?[\s\S]*› /)
    send(keys.escape)
    await sees(/Not then\.[\s\S]*approvals/)
    expect(await here.treeHash()).toBe(before)
  })

  it('stops an answer on Esc and continues', async () => {
    const { send, sees } = await open([{ stall: 'The first half\nand more' }, { say: 'Whole.' }])
    send(`x${keys.enter}`)
    await sees('The first half')
    send(keys.escape)
    await sees(/Stopped\.[\s\S]*approvals/)
    send(`again${keys.enter}`)
    await sees(/Whole\.[\s\S]*approvals/)
  })

  it('stops /compact on Esc and continues', async () => {
    const { send, sees } = await open([
      { say: 'First.' },
      { say: 'Second.' },
      { stall: 'They spoke of' },
      { say: 'Third.' },
    ])
    send(`one${keys.enter}`)
    await sees(/First\.[\s\S]*approvals/)
    send(`two${keys.enter}`)
    await sees(/Second\.[\s\S]*approvals/)
    send(`/compact${keys.enter}`)
    await expect.poll(() => server?.prompts().length).toBe(3)
    send(keys.escape)
    await sees(/Stopped\.[\s\S]*approvals/)
    send(`three${keys.enter}`)
    await sees(/Third\.[\s\S]*approvals/)
  })

  it('changes the level with Shift+Tab, mode and model by command, and reports mistakes', async () => {
    const { send, sees } = await open()
    send(keys.shiftTab)
    await sees('approvals: edit')
    send(keys.shiftTab)
    await sees('approvals: read-only')
    send(`/mode plan${keys.enter}`)
    await sees('offline · plan')
    send(`/model openai/gpt-5${keys.enter}`)
    await sees(/There is no API key for OpenAI\.[\s\S]*notewright keys set openai[\s\S]*offline · plan/)
    send(`/aprovals${keys.enter}`)
    await sees('Did you mean /approvals?')
    send(`/tools${keys.enter}`)
    await sees('search_notes')
  })

  it('reports an unknown command, and asks what begins with a space', async () => {
    const { send, sees } = await open([{ say: 'Asked.' }])
    send(`/xyzzy now${keys.enter}`)
    await sees(/Unknown command \/xyzzy\. \/help lists all commands\.[\s\S]*approvals/)
    expect(server?.prompts()).toHaveLength(0)
    send(` /xyzzy now${keys.enter}`)
    await sees(/Asked\.[\s\S]*approvals/)
    send(`/help${keys.enter}`)
    const help = await sees('Ctrl-C twice')
    for (const name of ['/copy', '/retry', '/edit']) expect(help).toContain(name)
  })

  it('copies the answer, asks again, and takes a question from the editor', async () => {
    const editor = join(here.home, 'editor')
    await mkdir(here.home, { recursive: true })
    await writeFile(editor, '#!/bin/sh\nprintf \'second $(touch hit)\' >> "$1"\n', { mode: 0o755 })
    Object.assign(here.environment, { EDITOR: editor })
    const { send, sees, raw } = await open([{ say: '**Blue**\x1b.' }, { say: 'Green.' }, { say: 'Red.' }])
    send(`/retry${keys.enter}`)
    await sees('You have not asked anything')
    send(`which colour?${keys.enter}`)
    // Neither the size of the window nor a price is known of this server.
    await sees(/Blue[\s\S]*approvals: ask[\s\S]*context[\s\S]*cost unknown/)
    send(`/copy${keys.enter}`)
    await sees('clipboard of your terminal (OSC 52)')
    expect(raw()).toContain(`\x1b]52;c;${Buffer.from('**Blue**.').toString('base64')}\x07`)
    send(`/retry${keys.enter}`)
    await sees(/› which colour\?[\s\S]*Green\.[\s\S]*approvals/)
    send(`/edit first${keys.enter}`)
    await sees(/first\n\s*second \$\(touch hit\)/)
    send(keys.enter)
    await sees(/Red\.[\s\S]*approvals/)
    const asked = server!.prompts().map(({ messages }) => messages.at(-1)?.content)
    expect(asked).toEqual(['which colour?', 'which colour?', 'first\nsecond $(touch hit)'])
    expect(existsSync('hit')).toBe(false)
  })

  it('accepts several lines and completes the names of notes', async () => {
    const { send, sees } = await open([{ say: 'Both.' }])
    send('compare @toma')
    await sees('› Tomatoes')
    send(`${keys.tab}and${keys.altEnter}\x1b[200~one\rtwo\x1b[201~`)
    await sees('two')
    send(keys.enter)
    await sees(/Both\.[\s\S]*approvals/)
    const [{ messages }] = server!.prompts()
    expect(messages.at(-1)?.content).toMatch(
      /^<<\w+ result of read_note\n[\s\S]*warm rain[\s\S]*>>\n\ncompare @\[\[Tomatoes\]\] and\none\ntwo$/,
    )
  })

  it('completes commands and arguments after a slash, and runs the selected one on Enter', async () => {
    const { send, sees } = await open()
    send('/')
    const all = await sees('/approvals')
    for (const name of ['/help', '/model', '/mode']) expect(all).toContain(name)
    send('appr')
    await sees(/› \/appr[\s\S]*› \/approvals/)
    send(keys.tab)
    await sees('› /approvals')
    send(' ed')
    await sees(/› edit/)
    send(keys.enter)
    await sees(/Approvals: edit\.[\s\S]*approvals: edit/)
  })

  it('lists available models to choose from, by arrows or by letters', async () => {
    const manifests = join(here.environment.HOME, '.ollama/models/manifests/registry.ollama.ai/library/qwen3')
    await mkdir(manifests, { recursive: true })
    await writeFile(join(manifests, '8b'), '{}')
    Object.assign(here.environment, { OLLAMA_HOST: 'http://127.0.0.1:9', OPENAI_API_KEY: 'sk-none' })
    const { send, sees } = await open()
    send(`/model${keys.enter}`)
    const list = await sees(/Choose a model[\s\S]*offline +searches/)
    expect(list).toContain('ollama/qwen3:8b')
    expect(list).toContain('openai/…')
    send('qwen')
    await sees(/› qwen[\s\S]*› ollama\/qwen3:8b/)
    send(keys.enter)
    await sees(/Model: ollama\/qwen3:8b[\s\S]*config set model ollama\/qwen3:8b[\s\S]*ollama\/qwen3:8b · agent/)
    send(`/model${keys.enter}`)
    await sees('Choose a model')
    send(keys.escape)
    await sees(/Model: ollama\/qwen3:8b/)
  })

  it('announces the end of a pomodoro above the input', async () => {
    await mkdir(join(here.home, 'state'), { recursive: true, mode: 0o700 })
    const timers = { pomodoro: { startedAt: Date.now() - 54_000, minutes: 1 } }
    await writeFile(join(here.home, 'state', 'timers.json'), JSON.stringify(timers), { mode: 0o600 })
    const { send, sees, raw } = await open()
    send('half a ques')
    await sees(/Your pomodoro of 1 minute is over[\s\S]*› half a ques/)
    expect(raw()).toContain('\x07')
  })

  it('leaves after Ctrl-C twice, not once', async () => {
    const { send, sees, exit } = await open()
    send(keys.interrupt)
    await sees(/Press Ctrl-C again to leave[\s\S]*approvals/)
    send(keys.interrupt)
    expect(await exit()).toBe(0)
  })

  it('ignores keys typed before the question appeared', async () => {
    const before = await here.treeHash()
    server = await modelServer(write, { say: 'Then not.' })
    const words = ['ask', '-m', 'compatible/test', 'add more', '--vault', here.vault]
    chat = atTerminal([process.execPath, program, ...words], { ...here.environment, ...server.environment })
    chat.send(`y${keys.enter}`)
    await chat.sees(/Approve\?[\s\S]*\[y\/N\]/)
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(await here.treeHash()).toBe(before)
    chat.send('n')
    await chat.sees('Then not.')
    expect(await here.treeHash()).toBe(before)
  })

  it('asks in a plain `ask` too, and Ctrl-C there stops the run', async () => {
    server = await modelServer(write, { say: 'Done.' })
    const words = [process.execPath, program, 'ask', 'add more', '-m', 'compatible/test', '--vault', here.vault]
    chat = atTerminal(words, { ...here.environment, ...server.environment })
    await chat.sees(/Approve\?[\s\S]*\[y\/N\]/)
    chat.send(keys.interrupt)
    expect(await chat.exit()).toBe(130)
    expect(await here.read('Home.md')).not.toContain('More soon.')
  })
})
