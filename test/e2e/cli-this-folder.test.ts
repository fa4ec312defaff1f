import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { program, type Stage, stage } from './cli-harness.js'
import { atTerminal, noPty } from './pty.js'

let here: Stage
beforeEach(async () => {
  here = await stage()
  await rm(join(here.vault, '.obsidian'), { recursive: true })
})
afterEach(() => here.remove())

const inFolder = (words: string) => ['sh', '-c', `cd '${here.vault}' && '${process.execPath}' '${program}' ${words}`]

it('tells a script what to run, and never asks', async () => {
  const { code, stdout, stderr } = await here.run(['search', 'blight'], { cwd: here.vault })
  expect(code).toBe(3)
  expect(stdout).toBe('')
  expect(stderr).toContain("contains Markdown notes but isn't set up as a vault")
  expect(stderr).toContain('--vault .')
  expect(stderr).not.toContain('[Y/n]')
})

describe.skipIf(noPty !== undefined)('at a terminal', () => {
  it('asks once, and then uses the folder, also for scripts', async () => {
    const first = atTerminal(inFolder('search blight'), here.environment)
    await first.sees('Use this folder as your vault? [Y/n]')
    first.send('y')
    await first.sees('Late blight comes')
    expect(await first.exit()).toBe(0)
    const second = atTerminal(inFolder('search blight'), here.environment)
    expect(await second.sees('Late blight comes')).not.toContain('[Y/n]')
    expect(await second.exit()).toBe(0)
    const { stdout } = await here.run(['search', 'blight'], { cwd: join(here.vault, 'Garden') })
    expect(stdout).toContain('Garden/Tomatoes.md')
  })

  it('accepts a no, and does not ask again', async () => {
    for (const isFirst of [true, false]) {
      const shown = atTerminal(inFolder('search blight'), here.environment)
      if (isFirst) {
        await shown.sees('[Y/n]')
        shown.send('n')
      }
      const said = await shown.sees('--vault .')
      expect(said.includes('[Y/n]')).toBe(false)
      expect(await shown.exit()).toBe(3)
    }
  })
})
