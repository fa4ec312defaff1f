import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { program, type Stage, stage } from './cli-harness.js'
import { type ModelServer, modelServer } from './model-server.js'

const conversation = [
  { call: [{ name: 'search_notes', input: { query: 'soil' } }] },
  { say: 'I look closer. ', call: [{ name: 'read_note', input: { path: 'Plan.md' } }] },
  { call: [{ name: 'append_note', input: { path: 'Plan.md', content: 'Sow beans.' } }] },
  { call: [{ name: 'edit_note', input: { path: 'Plan.md', old_text: 'Dig.', new_text: 'Dig deep.' } }] },
  { say: 'All of it is done, as you asked.' },
]

let here: Stage
let server: ModelServer
beforeEach(async () => {
  here = await stage()
  await here.write('Plan.md', 'Dig.\n')
})
afterEach(async () => {
  await server?.stop()
  await here.remove()
})

/** Runs one turn and kills the program with its n-th event; answers the events that were shown until then. */
async function killedAt(session: string, n: number): Promise<{ type: string }[]> {
  const words = ['ask', '-m', 'compatible/test', '--session', session, '--yes', '--format', 'stream-json', 'Do it all']
  const child = spawn(process.execPath, [program, '--vault', here.vault, ...words], {
    env: { ...process.env, ...here.environment, ...server.environment },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const shown: { type: string }[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    shown.push(JSON.parse(line))
    if (shown.length === n) {
      child.kill('SIGKILL')
      break
    }
  }
  await new Promise((resolve) =>
    child.exitCode === null && child.signalCode === null ? child.on('close', resolve) : resolve(0),
  )
  return shown
}

it(
  'a program killed at any event has stored everything it showed, and continues without repeating work',
  async () => {
    let kills = 0
    for (let n = 1, isOver = false; !isOver; n++) {
      await server?.stop()
      server = await modelServer(...conversation)
      await here.write('Plan.md', 'Dig.\n')
      const session = `killed-${n}`
      const shown = await killedAt(session, n)
      isOver = shown.at(-1)?.type === 'run-end'
      kills++
      const { value } = await here.json('sessions', 'show', session)
      const kept = (value as unknown as { events: { seq: number; event: { type: string } }[] }).events
      expect(kept.map(({ seq }) => seq)).toEqual(kept.map((_, at) => at + 1))
      expect(kept.slice(0, shown.length).map(({ event }) => event)).toEqual(shown)

      const before = await here.read('Plan.md')
      await server.stop()
      server = await modelServer({ say: 'Going on.' })
      const again = await here.run(
        ['--vault', here.vault, 'ask', '-m', 'compatible/test', '--session', session, '--json', 'And now?'],
        { environment: server.environment },
      )
      expect(again.code).toBe(0)
      // Nothing is run again, and what had happened is in the notes once.
      expect(await here.read('Plan.md')).toBe(before)
      expect(before.match(/Sow beans\./g)?.length ?? 0).toBeLessThanOrEqual(1)
      const [prompt] = server.prompts()
      const calls = prompt.messages.flatMap(
        (message) => (message as { tool_calls?: { id: string }[] }).tool_calls ?? [],
      )
      const answers = prompt.messages.filter(({ role }) => role === 'tool')
      expect(answers).toHaveLength(calls.length)
      if (before.includes('Sow beans.') && !shown.some(({ type }) => type === 'run-end')) {
        expect(JSON.stringify(prompt)).toMatch(/Sow beans|not known|It was done/)
      }
    }
    expect(kills).toBeGreaterThan(20)
  },
  20 * 60_000,
)

it('two programs never write to one session: the second learns which one holds it', async () => {
  server = await modelServer({ stall: 'Wait' })
  const words = ['ask', '-m', 'compatible/test', '--session', 'shared', '--format', 'stream-json', 'First']
  const first = spawn(process.execPath, [program, '--vault', here.vault, ...words], {
    env: { ...process.env, ...here.environment, ...server.environment },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  for await (const line of createInterface({ input: first.stdout })) if (line.includes('"step-start"')) break
  const second = await here.run(
    ['--vault', here.vault, 'ask', '-m', 'compatible/test', '--session', 'shared', 'Second'],
    { environment: server.environment },
  )
  expect(second.code).toBe(6)
  expect(second.stderr).toContain(`process ${first.pid}`)
  first.kill('SIGKILL')
  await new Promise((resolve) => first.on('close', resolve))
  await server.stop()
  server = await modelServer({ say: 'Mine now.' })
  const third = await here.run(
    ['--vault', here.vault, 'ask', '-m', 'compatible/test', '--session', 'shared', 'Third'],
    { environment: server.environment },
  )
  expect(third.stdout).toContain('Mine now.')
})
