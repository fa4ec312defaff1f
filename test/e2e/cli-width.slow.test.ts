import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { program, type Stage, stage } from './cli-harness.js'
import { atTerminal, noPty } from './pty.js'

let here: Stage
const folders = 'Projects/The garden behind the house/Beds of the year 2024/Those in the shade of the wall'
const long = `${folders}/Everything about growing tomatoes from seed.md`
const words = `Tomatoes want ${'a lot of very warm sun and '.repeat(4)}rain. See [[Nowhere at all, whatever is looked for and wherever]].`

beforeEach(async () => {
  here = await stage()
  await here.write(long, `# Tomatoes from seed\n\n${words}\n`)
})
afterEach(() => here.remove())

const commands = [
  ['search', 'warm sun'],
  ['links', '--unresolved'],
  ['links', long],
  ['ask', '-m', 'offline', 'what do tomatoes from seed want?'],
  ['move', long, `${long.slice(0, -3)} and more.md`, '--dry-run'],
]

describe.each(commands)('%s %s', (...words) => {
  it('prints every path whole into a pipe', async () => {
    const { stdout, code } = await here.run([...words, '--vault', here.vault])
    expect(code).toBe(0)
    expect(stdout).toContain(long.slice(0, -3))
    expect(stdout).not.toContain('…')
  })

  it.skipIf(noPty !== undefined)('fits the screen, with paths shortened in the middle', async () => {
    const shown = atTerminal([process.execPath, program, ...words, '--vault', here.vault], here.environment)
    expect(await shown.exit()).toBe(0)
    const lines = shown
      .raw()
      .replace(/\x1b\[[0-9;?]*[ -/]*[@-~]/g, '')
      .split('\n')
      .map((line) => line.slice(line.lastIndexOf('\r', line.length - 2) + 1).trimEnd())
    if (words[0] !== 'move') for (const line of lines) expect(line.length).toBeLessThanOrEqual(80)
    if (words[0] === 'search')
      expect(lines.join('\n')).toMatch(/Projects\/.*…\/Everything about growing tomatoes from seed\.md/)
  })
})

it('prints the state, the history and the log whole into a pipe', async () => {
  const input = JSON.stringify({ path: long, content: 'More.' })
  await here.run(['tool', 'call', 'append_note', '--input', input, '--yes', '--vault', here.vault])
  for (const words of [['status'], ['history'], ['log']]) {
    const { stdout } = await here.run([...words, '--vault', here.vault])
    if (words[0] !== 'status') expect(stdout).toContain(long)
    expect(stdout).not.toContain('…')
  }
})
