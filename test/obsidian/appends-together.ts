import { expect } from 'vitest'
import { type Stage, stage } from '../e2e/cli-harness.js'
import { type McpProcess, startMcp } from '../e2e/mcp-client.js'
import type { Prompt, Said } from '../e2e/model-server.js'
import type { Check } from '../security/security-case.js'
import type { PluginPage } from './plugin-page.js'
import { onPlugin } from './plugin-with-model.js'

/** `NOTEWRIGHT_APPENDS=10` is a quick look. */
const each = Number(process.env.NOTEWRIGHT_APPENDS ?? 100)
/** Number of calls in one reply of the model. */
const atOnce = 25

interface Answered {
  line: string
  /** Text of the tool's result. */
  text: string
  isDone: boolean
}

const linesOf = (writer: string) => Array.from({ length: each }, (_, at) => `${writer}${at}`)

/** Continues to append the lines of the writer of this conversation. */
function appendingModel(): (prompt: Prompt) => Said {
  const left = new Map<string, string[]>()
  return ({ messages }) => {
    const writer = /writer (page\w)/.exec(JSON.stringify(messages))![1]
    const lines = left.get(writer) ?? linesOf(writer)
    left.set(writer, lines)
    if (lines.length === 0) return { say: 'All lines are there.' }
    const next = lines.splice(0, atOnce)
    return { call: next.map((content) => ({ name: 'append_note', input: { path: 'log.md', content } })) }
  }
}

/** A conversation in the page, to its end. */
async function writeInPage({ page }: PluginPage, writer: string): Promise<Answered[]> {
  return page.evaluate(`(async () => {
    const { vault, runningSessions } = await host.plugin.opened()
    const { id } = await runningSessions.begin({ model: 'compatible/test', mode: 'agent', consent: 'edit' })
    await runningSessions.ask(id, { text: 'writer ${writer}' }, {})
    const answered = []
    for await (const { event } of vault.follow(id, 0, new AbortController().signal)) {
      if (event.type === 'run-end') break
      if (event.type !== 'tool-result') continue
      const { ok, text } = event.result
      answered.push({ line: event.call.input.content, text, isDone: ok })
    }
    return answered
  })()`)
}

/** A server for other programs, which stays. */
async function writeAsServer(server: McpProcess, writer: string): Promise<Answered[]> {
  const answered: Answered[] = []
  for (const line of linesOf(writer)) {
    const { result } = await server.call('append_note', { path: 'log.md', content: line })
    const text = JSON.stringify(result?.content)
    answered.push({ line, text, isDone: result?.isError !== true })
  }
  return answered
}

/** One process for every line. */
async function writeAsCommands(place: Stage, vault: string, writer: string): Promise<Answered[]> {
  const answered: Answered[] = []
  for (const line of linesOf(writer)) {
    const input = JSON.stringify({ path: 'log.md', content: line })
    const words = ['tool', 'call', 'append_note', '--input', input, '--yes', '--vault', vault]
    const { code, stdout, stderr } = await place.run(words)
    answered.push({ line, text: `${stdout}${stderr}`, isDone: code === 0 })
  }
  return answered
}

/** Types into a note that is open, for as long as others write. */
async function typeMeanwhile({ page }: PluginPage, isOver: () => boolean): Promise<string[]> {
  await page.evaluate('host.app.workspace.openLinkText("diary.md", "")')
  const typed: string[] = []
  while (!isOver()) {
    const words = `typed${typed.length}`
    typed.push(words)
    await page.evaluate(`(() => {
      const { editor } = host.app.workspace.getLeavesOfType('markdown').at(-1).view
      editor.replaceRange('${words}\\n', { line: 0, ch: 0 })
    })()`)
    // The app looks at its folder when its watcher wakes up.
    await page.evaluate('host.app.vault.reconcile()')
    await page.waitForTimeout(200)
  }
  await page.evaluate('host.app.workspace.getLeavesOfType("markdown").at(-1).view.save()')
  return typed
}

/** The page and real processes on one folder at the very same time. */
export function appendsTogether(): Check {
  return onPlugin(
    '8 writers with 100 appends each, four in the plugin and four of the command line: every acknowledged one there once',
    [appendingModel()],
    async (plugin) => {
      const place = await stage()
      const vault = plugin.folder('garden')
      const words = ['--vault', vault, '--allow', 'append_note']
      const servers = await Promise.all([1, 2, 3].map(() => startMcp(words, place.environment)))
      try {
        let isOver = false
        const writers = Promise.all([
          ...['pagea', 'pageb', 'pagec', 'paged'].map((writer) => writeInPage(plugin, writer)),
          ...servers.map((server, at) => writeAsServer(server, `server${'abc'[at]}`)),
          writeAsCommands(place, vault, 'command'),
        ]).finally(() => {
          isOver = true
        })
        const typing = typeMeanwhile(plugin, () => isOver)
        const answered = (await writers).flat()
        const typed = await typing
        expect(answered).toHaveLength(8 * each)
        const lines = (await plugin.read('log.md')).trimEnd().split('\n')
        expect(lines[0]).toBe('first')
        const acknowledged = answered.flatMap(({ line, isDone }) => (isDone ? line : []))
        expect(lines.slice(1).sort()).toEqual(acknowledged.sort())
        for (const { text, isDone } of answered) if (!isDone) expect(text).toMatch(/try (?:it )?again/i)
        // Refusing everything would be no way to keep everything.
        expect(acknowledged.length).toBeGreaterThan(4 * each)
        const diary = await plugin.read('diary.md')
        for (const typedLine of typed) expect(diary.split('\n').filter((line) => line === typedLine)).toHaveLength(1)
      } finally {
        await Promise.all(servers.map((server) => server.close()))
        await place.remove()
      }
    },
    { files: { 'log.md': 'first\n', 'diary.md': 'Dear diary\n' }, timeoutMs: 600_000 },
  )
}
