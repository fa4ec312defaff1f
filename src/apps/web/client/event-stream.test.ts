import { afterEach, describe, expect, it } from 'vitest'
import { eventParser, followEvents } from './event-stream.js'

const text =
  ': a comment\nevent: told\nid: 7\ndata: {"a":1}\n\nevent: said\r\ndata: one\r\ndata:two\r\n\r\ndata: plain\n\nevent: x\n\n'
const events = [
  ['told', '{"a":1}', '7'],
  ['said', 'one\ntwo', undefined],
  ['message', 'plain', undefined],
]

it('reads the same events however the stream is cut', () => {
  for (let first = 0; first <= text.length; first++) {
    for (const second of [first, Math.min(first + 3, text.length), text.length]) {
      const found: unknown[] = []
      const take = eventParser((...event) => found.push(event))
      for (const part of [text.slice(0, first), text.slice(first, second), text.slice(second)]) take(part)
      expect(found).toEqual(events)
    }
  }
})

describe('a stream of events', () => {
  const stops: (() => void)[] = []
  afterEach(() => {
    for (const stop of stops.splice(0)) stop()
  })

  /** Follows a server with the given answers, one connection after the other. */
  function following(answers: ((signal: AbortSignal) => Promise<Response>)[], silenceMs = 60_000) {
    const seen = { opened: [] as (string | undefined)[], events: [] as string[], lost: 0, signals: [] as AbortSignal[] }
    const stop = followEvents({
      open(lastEventId, signal) {
        seen.opened.push(lastEventId)
        seen.signals.push(signal)
        return answers[Math.min(seen.opened.length, answers.length) - 1](signal)
      },
      onEvent: (event, data) => seen.events.push(`${event} ${data}`),
      onLost: () => seen.lost++,
      isFinal: (error) => (error as Error).message === 'signed out',
      times: { firstRetryMs: 1, lastRetryMs: 4, silenceMs },
    })
    stops.push(stop)
    return { seen, stop }
  }
  const ends = (body: string) => async () => new Response(body)
  const fails = (message: string) => async () => {
    throw new Error(message)
  }
  /** Sends its text and then nothing more, until the connection is given up. */
  const hangs = (body: string) => async (signal: AbortSignal) =>
    new Response(
      new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode(body))
          signal.addEventListener('abort', () => controller.error(new Error('aborted')))
        },
      }),
    )

  it('is opened again after the last event that was seen, also when the server is away for a while', async () => {
    const { seen } = following([
      ends('id: 1\ndata: one\n\nid: 2\ndata: two\n\nid: 3\ndata: half'),
      fails('away'),
      fails('away'),
      hangs('id: 3\ndata: three\n\n'),
    ])
    await expect.poll(() => seen.events).toEqual(['message one', 'message two', 'message three'])
    expect(seen.opened).toEqual([undefined, '2', '2', '2'])
    expect(seen.lost).toBe(3)
  })

  it('is given up and opened again when not even a heartbeat comes', async () => {
    const { seen } = following([hangs('id: 1\ndata: one\n\n'), hangs('id: 2\ndata: two\n\n')], 50)
    await expect.poll(() => seen.events).toContain('message two')
    expect(seen.opened[1]).toBe('1')
    expect(seen.signals[0].aborted).toBe(true)
  })

  it('ends with its connection when it is stopped, and reports nothing more', async () => {
    const { seen, stop } = following([hangs('data: one\n\n')])
    await expect.poll(() => seen.events).toEqual(['message one'])
    stop()
    await expect.poll(() => seen.signals[0].aborted).toBe(true)
    expect([seen.opened.length, seen.lost]).toEqual([1, 0])
  })

  it('is not opened again where that is of no use', async () => {
    const { seen } = following([fails('away'), fails('signed out'), ends('data: late\n\n')])
    await expect.poll(() => seen.lost).toBe(2)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect([seen.opened.length, seen.events]).toEqual([2, []])
  })
})
