import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { stage as openStage, program, type Stage } from './cli-harness.js'

let stage: Stage
beforeEach(async () => {
  stage = await openStage()
})
afterEach(() => stage.remove())

const commands = [
  ['chat', '-m', 'offline'],
  ['ask', '-m', 'offline', 'trees'],
  ['mcp'],
  ['serve', '--port', '0', '-m', 'offline'],
  ['web', '--port', '0', '--no-open', '-m', 'offline'],
]

describe('a program that is stopped during its start', () => {
  it.each(commands)('ends at any moment: %s', async (...words) => {
    for (let afterMs = 60; afterMs < 900; afterMs += 60) {
      const child = spawn(process.execPath, [program, ...words, '--vault', stage.vault], {
        env: stage.environment,
        stdio: ['pipe', 'ignore', 'ignore'],
      })
      await new Promise((resolve) => setTimeout(resolve, afterMs))
      expect(await isEndedBy(child, 'SIGTERM'), `after ${afterMs} ms`).toBe(true)
    }
  })
})

/** Whether it goes by itself, its input still open. */
async function isEndedBy(child: ChildProcess, signal: NodeJS.Signals): Promise<boolean> {
  if (child.exitCode !== null || child.signalCode !== null) return true
  const ended = once(child, 'exit').then(() => true)
  child.kill(signal)
  const late = new Promise<false>((resolve) => setTimeout(() => resolve(false), 15_000).unref())
  const isEnded = await Promise.race([ended, late])
  child.kill('SIGKILL')
  return isEnded
}
