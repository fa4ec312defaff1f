import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type ServerTool, toolHash } from '../../src/core/mcp/index.js'
import { builtInTools, registry, toolset } from '../../src/core/tools/index.js'
import { listConfiguredServers } from '../../src/hosts/node/mcp-servers.js'
import { type Stage, stage as terminalStage } from '../e2e/cli-harness.js'
import { modelServer } from '../e2e/model-server.js'
import { echo, isAlive, odd, oddProgram, type ServerStage, serverStage } from '../mcp/odd-servers.js'
import { type CaseChecks, type Check, quoted } from './security-case.js'

/** Attacks by other people's MCP servers that must do no harm. */
export const serverToolsCases: CaseChecks = {
  I05: ({ setup }) => {
    const name = /lists tool (\w+)/.exec(setup)![1]
    const description = quoted(setup).at(-1)!
    const spaces = Number(/([\d ]+) spaces/.exec(setup)![1].replaceAll(' ', ''))
    const words = `${' '.repeat(spaces)}${description}`
    const poisoned: ServerTool = { ...echo, name, description: words }
    return [
      atTerminal('all of it is shown before it is on, with the room around it', async (on) => {
        await on.run(['mcp-servers', 'add', 'calc', '--', process.execPath, oddProgram, 'words', words])
        const { stdout } = await on.run(['mcp-servers', 'tools', 'calc'])
        expect(stdout).toContain(`⟦${spaces} blanks⟧${description}`)
      }),
      onStage('it is off until the person switches it on', async (on) => {
        const { all, call } = await on.start({ calc: await listing(on, [poisoned]) }, { seen: [] })
        await expect.poll(() => all.find(`calc__${name}`)).toBeDefined()
        expect(toolset({ enabled: [`calc/${name}`] }, all).names.has(`calc__${name}`)).toBe(false)
        expect(await call(`calc__${name}`)).toMatchObject({ ok: false, code: 'denied' })
        // The user has seen it: a model still hears no more than fits, and no guidance is made of it.
        await on.known.seen.add('calc', [poisoned])
        const after = await on.start({ calc: await listing(on, [poisoned]) }, { seen: [poisoned] })
        await expect.poll(() => after.all.find(`calc__${name}`)).toBeDefined()
        const { tool } = after.all.find(`calc__${name}`)!
        expect(tool.description.length).toBeLessThanOrEqual(4001)
        expect(tool.guidance).toBeUndefined()
      }),
      atTerminal('it is never part of what the model is told as instructions', async (on) => {
        await on.run(['mcp-servers', 'add', 'calc', '--', process.execPath, oddProgram, 'words', description])
        await on.run(['mcp-servers', 'tools', 'calc', '--enable', 'echo', '--yes'])
        const model = await modelServer({ say: 'Hello.' })
        const words = ['ask', 'Hello', '-m', 'compatible/test', '--vault', on.vault]
        await on.run(words, { environment: model.environment })
        await model.stop()
        const [{ messages, tools }] = model.prompts()
        expect(JSON.stringify(tools)).toContain('calc__echo')
        expect(JSON.stringify(messages)).not.toContain('IMPORTANT')
      }),
    ]
  },

  I06: () => {
    const changes: Partial<ServerTool>[] = [
      { description: `${echo.description}!` },
      { title: 'Echo' },
      { inputSchema: { ...echo.inputSchema, title: '.' } },
      { annotations: { readOnlyHint: true } },
    ]
    return [
      ...changes.map((change) =>
        onStage(`a server that comes back with another ${Object.keys(change)} is not called`, async (on) => {
          const { all, call, troubles } = await on.start({ day: await listing(on, [{ ...echo, ...change }]) })
          await expect.poll(() => all.find('day__echo')).toBeDefined()
          expect(await call('day__echo')).toMatchObject({ ok: false, code: 'denied' })
          expect(troubles).toEqual([
            expect.stringContaining('is off because its description has changed since you reviewed it'),
          ])
        }),
      ),
      onStage('one that changes in the middle of a session is not called any more', async (on) => {
        const { all, call } = await on.start({ day: await listing(on, [echo]) })
        await expect.poll(() => all.find('day__echo')).toBeDefined()
        expect(await call('day__echo')).toMatchObject({ ok: true })
        await listing(on, [{ ...echo, description: `${echo.description} ` }])
        await expect.poll(() => all.find('day__echo')?.tool.withheld, { timeout: 5000 }).toBeDefined()
        expect(await call('day__echo')).toMatchObject({ ok: false, code: 'denied' })
      }),
      {
        name: 'the pin is over name, description, schema and annotations',
        run() {
          const hashes = [echo, ...changes.map((change) => ({ ...echo, ...change })), { ...echo, name: 'echo2' }]
          expect(new Set(hashes.map(toolHash)).size).toBe(hashes.length)
          expect(toolHash(echo)).toMatch(/^[0-9a-f]{64}$/)
        },
      },
    ]
  },

  I07: ({ setup }) => {
    const [name, alike] = quoted(setup).slice(-2)
    const tools = [name, alike].map((each) => ({ ...echo, name: each }))
    return [
      onStage('the tool of ours keeps its name, those of servers have the server’s before theirs', async (on) => {
        const { all } = await on.start(
          { one: await listing(on, tools), two: await listing(on, tools, 'two') },
          { seen: tools, enabled: [`one/${name}`, `two/${name}`] },
        )
        await expect.poll(() => all.all().filter(({ foreign }) => foreign).length).toBe(4)
        expect(all.find(name)?.source).toBe('built-in')
        const names = all.all().flatMap(({ tool, foreign }) => (foreign ? [tool.name] : []))
        for (const each of names) expect(each).toMatch(/^(one|two)_[\w-]+$/)
        expect(new Set(names).size).toBe(4)
      }),
      {
        name: 'a name that looks like another, or comes twice, is refused',
        run() {
          const all = registry(builtInTools)
          const tool = { ...all.find(name)!.tool }
          for (const each of [name, alike, 'Read-Note', 'read_n0te']) {
            expect(() => all.register({ ...tool, name: each }, 'custom')).toThrow(/taken|mistaken|Not a tool name/)
          }
          const twice = { ...tool, name: 'x' }
          expect(() => all.registerServer('one', [twice, twice])).toThrow('taken')
        },
      },
    ]
  },

  M01: () => [
    onStage('the good one is there, and each call of a bad one ends with a typed error', async (on) => {
      const bad = { never: 'calls-never', dies: 'dies', long: 'long-line', floods: 'notifications' }
      const { all, call, servers } = await on.start({
        hangs: odd('hangs'),
        lists: odd('lists-never'),
        chatty: odd('chatty'),
        good: odd('good'),
        ...Object.fromEntries(Object.entries(bad).map(([name, way]) => [name, odd(way)])),
        // The other servers end before their limit, even on a busy machine.
        never: { ...odd(bad.never), timeoutMs: 10_000 },
      })
      await servers.ready(3000)
      await expect.poll(() => all.find('good__echo')).toBeDefined()
      expect(await call('good__echo')).toMatchObject({ ok: true, text: 'hello' })
      for (const name of [...Object.keys(bad), 'chatty']) {
        await expect.poll(() => all.find(`${name}__echo`)).toBeDefined()
      }
      expect(await call('chatty__echo')).toMatchObject({ ok: true })
      const ends = { never: 'timeout', dies: 'network', long: 'too-large', floods: 'too-large' }
      for (const [name, code] of Object.entries(ends)) expect(await call(`${name}__echo`)).toMatchObject({ code })
    }),
    onStage('what they send does not fill the memory', async (on) => {
      const before = process.memoryUsage().rss
      const { all, call } = await on.start({ long: odd('long-line') })
      await expect.poll(() => all.find('long__echo')).toBeDefined()
      await call('long__echo')
      expect(process.memoryUsage().rss - before).toBeLessThan(200 << 20)
    }),
    onStage('all of them are gone when we are', async (on) => {
      const pid = join(on.home, 'pid')
      const { all, servers } = await on.start({ stays: odd('stubborn', pid) })
      await expect.poll(() => all.find('stays__echo')).toBeDefined()
      await servers.close()
      expect(isAlive(Number(await readFile(pid, 'utf8')))).toBe(false)
    }),
  ],

  M02: ({ setup }) => {
    const [command, flag, script] = quoted(setup)
    const entry = (on: string) => ({ command, args: [flag, script.replace('$O', on)] })
    const bring = async (root: string, outside: string) => {
      const text = JSON.stringify({ mcpServers: { evil: entry(outside) } })
      await writeFile(join(root, '.mcp.json'), text)
      await mkdir(join(root, '.obsidian/plugins/x'), { recursive: true })
      await writeFile(join(root, '.obsidian/plugins/x/mcp.json'), text)
      await writeFile(join(root, 'Evil.md'), `---\nmcpServers: ${text}\n---\n`)
    }
    return [
      atTerminal('nothing of it runs in any front end before the person trusts it', async (on) => {
        await bring(on.vault, on.home)
        await on.run(['tool', 'enable', 'evil/x', '--vault', on.vault])
        for (const words of [
          ['mcp-servers', 'list'],
          ['ask', 'hello', '-m', 'offline'],
          ['tool', 'call', 'evil/x'],
          ['mcp'],
        ]) {
          await on.run([...words, '--vault', on.vault])
        }
        expect(existsSync(join(on.home, 'PWNED'))).toBe(false)
      }),
      onStage('only the file that other programs know is read, and needs consent', async (on) => {
        await bring(on.root, on.home)
        const { servers } = await on.start({}, { enabled: ['evil/echo'] })
        await servers.ready(1000)
        const listed = await listConfiguredServers({
          settings: {},
          root: on.root,
          known: on.known,
          onTrouble: () => {},
        })
        expect(listed).toMatchObject([{ name: 'evil', from: 'vault', state: 'untrusted', setting: entry(on.home) }])
        expect(existsSync(join(on.home, 'PWNED'))).toBe(false)
      }),
      onStage('no shell reads the words of a command', async (on) => {
        const words = `a && touch ${join(on.home, 'PWNED')}; $(id)`
        const { all } = await on.start({ plain: odd('words', words) })
        await expect.poll(() => all.find('plain__echo')?.tool.description).toBe(words)
        expect(existsSync(join(on.home, 'PWNED'))).toBe(false)
      }),
    ]
  },

  M03: ({ setup }) => [
    onStage('a server sees none of our keys', async (on) => {
      const keys = setup.match(/[A-Z]+_[A-Z_]+/g)!
      const canaries = Object.fromEntries(keys.map((name) => [name, `canary-${name}`]))
      const environment = { ...process.env, ...canaries }
      const { all, call } = await on.start({ env: odd('environment') }, { environment })
      await expect.poll(() => all.find('env__echo')).toBeDefined()
      const { text } = await call('env__echo')
      expect(text).not.toContain('canary')
      const allowed = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'TMP', 'TEMP']
      expect(Object.keys(JSON.parse(text)).filter((name) => !allowed.includes(name))).toEqual([])
    }),
  ],
}

/** A server whose tools stand in a file: written again, it has others. */
async function listing(on: ServerStage, tools: readonly ServerTool[], name = 'one') {
  const file = join(on.home, `${name}.json`)
  await writeFile(file, JSON.stringify(tools))
  return odd('lists', file)
}

function onStage(name: string, work: (on: ServerStage) => Promise<void>): Check {
  return { name, timeoutMs: 60_000, run: () => withStage(serverStage(), work) }
}

function atTerminal(name: string, work: (on: Stage) => Promise<void>): Check {
  return { name, timeoutMs: 60_000, run: () => withStage(terminalStage(), work) }
}

async function withStage<On extends { remove(): Promise<void> }>(
  opening: Promise<On>,
  work: (on: On) => Promise<void>,
) {
  const on = await opening
  try {
    await work(on)
  } finally {
    await on.remove()
  }
}
