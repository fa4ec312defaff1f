import { expect, it } from 'vitest'
import { supervisor } from './app-server.js'

const patience = { firstWaitMs: 60_000, longestWaitMs: 100_000, stableMs: 60_000 }

const failing = {
  command: process.execPath,
  arguments: ['-e', 'console.error("no configuration"); process.exit(3)'],
  environment: {},
}

it('a process that ends before its first message is a failure with its last line of output', async () => {
  const { server } = supervisor(async () => failing, patience)
  await expect(server()).rejects.toThrow('Codex ended unexpectedly (exit code 3): no configuration')
})

it('a process that has just died is not started again at once, and the failure says when', async () => {
  let starts = 0
  const { server } = supervisor(async () => {
    starts++
    return failing
  }, patience)
  await server().catch(() => {})
  const failure = await server().catch((error) => error)
  expect(failure.details.data).toMatchObject({ kind: 'overloaded', retryable: true })
  expect(failure.details.data.retryAfterMs).toBeGreaterThan(0)
  expect(starts).toBe(1)
})

it('a program that is not there is looked for again with the next request', async () => {
  const { server } = supervisor(async () => {
    throw new Error('not installed')
  }, patience)
  await expect(server()).rejects.toThrow('not installed')
  await expect(server()).rejects.toThrow('not installed')
})

it('a process that does not answer is given up', async () => {
  const silent = { ...failing, arguments: ['-e', 'setInterval(() => {}, 1000)'], startMs: 200 }
  const { server } = supervisor(async () => silent, patience)
  await expect(server()).rejects.toThrow('Codex did not respond within 0.2 s after its start.')
})
