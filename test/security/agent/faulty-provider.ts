import type { ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { expect, vi } from 'vitest'
import type { RetrySettings } from '../../../src/core/model/index.js'
import { openModel } from '../../../src/core/providers/index.js'
import { type Played, playTurn } from '../../agent/play.js'
import { notes } from '../../agent/scenarios.js'
import { chatChunk, eventStream, type Loopback, loopback } from '../../providers/loopback.js'
import type { Check, SecurityCase } from '../security-case.js'

/** The case's providers, each of which first calls a tool that writes and then goes wrong. */
export function faultyProviderChecks(of: SecurityCase): Check[] {
  const stallMs = Number(/default (\d+) s/.exec(of.must[0])![1]) * 1000
  const faults = [...of.setup.matchAll(/\((\w)\) ([^(]+)/g)].map(([, letter, words]) => [letter, words.trim()] as const)
  const trials: Record<string, (name: string) => Check> = {
    a: (name) =>
      onClock(
        name,
        () => {},
        async (trial) => {
          await trial.until(() => trial.server.requests.length === 2)
          // A server on this machine has five times as long to read the prompt.
          await trial.pass(5 * stallMs - 1)
          expect(trial.hasEnded()).toBe(false)
          await trial.pass(1)
          expectEnd(await trial.played, 'stalled', '')
        },
      ),
    b: (name) =>
      onClock(
        name,
        (response) => void eventStream(response).write(chatChunk({ content: 'So far ' })),
        async (trial) => {
          await trial.until(() => trial.heard('So far '))
          await trial.pass(stallMs)
          expectEnd(await trial.played, 'stalled', 'So far ')
        },
      ),
    c: (name) =>
      onClock(
        name,
        (response) => void eventStream(response).write(chatChunk({ content: 'So far ' })),
        async (trial) => {
          await trial.until(() => trial.heard('So far '))
          const bytes = chatChunk({ content: 'x'.repeat(stallMs) })
          for (let second = 0; second < stallMs / 1000; second++) {
            trial.response().write(bytes[second])
            await trial.pass(1000)
          }
          expectEnd(await trial.played, 'stalled', 'So far ')
        },
      ),
    // Its bytes do come: what ends it is the time limit of the turn.
    d: (name) =>
      onClock(
        name,
        (response) => void eventStream(response).write(chatChunk({ content: 'So far ' })),
        async (trial) => {
          await trial.until(() => trial.heard('So far '))
          for (let second = 0; !trial.hasEnded() && second < 1000; second++) {
            trial.response().write(chatChunk({ reasoning_content: `hmm ${second} ` }))
            await trial.until(() => trial.heard(`hmm ${second} `) || trial.hasEnded())
            await trial.pass(1000)
          }
          const played = await trial.played
          expectWrittenOnce(played)
          expect(played.end).toMatchObject({ reason: 'failed', text: 'So far ', failure: { code: 'timeout' } })
          await trial.until(() => trial.server.closed() === 1)
        },
      ),
    e: (name) =>
      inTime(name, breakOff, (played, server) => {
        expectEnd(played, 'disconnected', 'Let me look. ')
        expect(server.requests).toHaveLength(2)
      }),
    f: (name) =>
      inTime(
        name,
        (response) => void response.writeHead(429, { 'retry-after': /Retry-After (\d+)/.exec(of.setup)![1] }).end('{}'),
        (played, server) => {
          expectEnd(played, 'rate-limit', '')
          expect(played.end.failure?.hint).toContain('hours')
          expect(server.requests).toHaveLength(2)
        },
      ),
    g: (name) =>
      inTime(
        name,
        (response) => void response.writeHead(500).end('{}'),
        (played, server) => {
          expectEnd(played, 'overloaded', '')
          expect(server.requests.length).toBeLessThan(10)
        },
      ),
  }
  return [
    ...faults.map(([letter, words]) =>
      trials[letter](`${words}: the turn ends and says why, what had come is kept, nothing is written twice`),
    ),
    inTime(
      'two answers of 500 and then a good one: the turn goes on, and what was written before is not written again',
      (response, count) => (count < 4 ? void response.writeHead(500).end('{}') : answer(response, 'Done.')),
      (played, server) => {
        expectWrittenOnce(played)
        expect(played.end).toMatchObject({ reason: 'answered', text: 'Done.' })
        expect(server.requests).toHaveLength(4)
      },
    ),
    inTime(
      'a call that came before the connection broke is not run, and nothing is asked for again',
      (response) => {
        const begun = eventStream(response)
        begun.write(chatChunk({ tool_calls: [{ ...append, id: 'b' }] }), () => cut(response))
      },
      (played, server) => {
        expectEnd(played, 'disconnected', '')
        expect(server.requests).toHaveLength(2)
      },
    ),
  ]
}

const append = {
  index: 0,
  id: 'a',
  type: 'function',
  function: { name: 'append_note', arguments: JSON.stringify({ path: 'Soil.md', content: 'Once.' }) },
}

function answer(response: ServerResponse, content: string): void {
  eventStream(response).end(`${chatChunk({ content })}${chatChunk({}, 'stop')}data: [DONE]\n\n`)
}

function breakOff(response: ServerResponse): void {
  eventStream(response).write(chatChunk({ content: 'Let me look. ' }))
  const half = { ...append, id: 'b', function: { name: 'append_note', arguments: '{"path":"Soil.md","cont' } }
  response.write(chatChunk({ tool_calls: [half] }), () => cut(response))
}

/** A little later, so that what was sent arrives. */
const cut = (response: ServerResponse) => setTimeout(() => response.socket?.destroySoon(), 30)

/** It ended with a name, and the call before the fault took effect once. */
function expectEnd(played: Played, kind: string, text: string): void {
  expectWrittenOnce(played)
  expect(played.end).toMatchObject({ reason: 'failed', text })
  expect(played.end.failure?.data?.kind).toBe(kind)
}

function expectWrittenOnce({ changed, log }: Played): void {
  expect(log.calls.map(({ tool_name, decision }) => [tool_name, decision])).toEqual([['append_note', 'approved']])
  expect(changed['Soil.md']?.replace(notes['Soil.md'], '').trim()).toBe('Once.')
}

type Fault = (response: ServerResponse, count: number) => void

interface Trial {
  server: Loopback
  played: Promise<Played>
  /** The reply that goes wrong. */
  response(): ServerResponse
  heard(text: string): boolean
  hasEnded(): boolean
  until(isSo: () => boolean): Promise<void>
  /** Lets time pass. */
  pass(ms: number): Promise<void>
}

/** A turn whose clock stands still until it is told to go on; the connection is real. */
function onClock(name: string, fault: Fault, use: (trial: Trial) => Promise<void>): Check {
  return {
    name,
    run: async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
      try {
        await onTurn(fault, {}, use)
      } finally {
        vi.useRealTimers()
      }
    },
  }
}

function inTime(name: string, fault: Fault, check: (played: Played, server: Loopback) => void): Check {
  return {
    name,
    run: () =>
      onTurn(fault, { attempts: 4, firstWaitMs: 1 }, async ({ played, server }) => check(await played, server)),
  }
}

async function onTurn(
  fault: Fault,
  retry: Partial<RetrySettings>,
  use: (trial: Trial) => Promise<void>,
): Promise<void> {
  let response: ServerResponse | undefined
  const server = await loopback((given, { count }) => {
    if (count === 1) {
      eventStream(given).end(`${chatChunk({ tool_calls: [append] })}${chatChunk({}, 'tool_calls')}data: [DONE]\n\n`)
      return
    }
    response = given
    fault(given, count)
  })
  try {
    const environment = { NOTEWRIGHT_COMPATIBLE_URL: server.url }
    const { model } = await openModel('compatible/m', { environment, fetch })
    let [heard, hasEnded] = ['', false]
    const played = playTurn(model, 'Write it down.', {
      asker: () => ({ verdict: 'allow' }),
      setup: { settings: { retry } },
      onEvent(event) {
        if (event.type === 'text-delta' || event.type === 'reasoning-delta') heard += event.text
        if (event.type === 'run-end') hasEnded = true
      },
    })
    await use({
      server,
      played,
      response: () => response!,
      heard: (text) => heard.includes(text),
      hasEnded: () => hasEnded,
      // Vitest's own polling would let time pass.
      until: async (isSo) => {
        const giveUp = process.hrtime.bigint() + 20_000_000_000n
        while (!isSo()) {
          if (process.hrtime.bigint() > giveUp) throw new Error(`It did not come: ${isSo}`)
          await setImmediate()
        }
      },
      async pass(ms) {
        await vi.advanceTimersByTimeAsync(ms)
        await setImmediate()
      },
    })
  } finally {
    await server.stop()
  }
}
