import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { scriptedModel } from '../../../test/doubles/scripted-model.js'
import { openGuard, testContext } from '../../../test/tools/call-tool.js'
import { defaultProfile, type LanguageModelV3, type LanguageModelV3StreamPart } from '../model/index.js'
import { defineTool, memoryLog, registry, type ToolSetup } from '../tools/index.js'
import { run } from './run.js'
import type { AgentEvent, AgentSetup } from './turn.js'

/** Counts open requests and running tools. */
interface Going {
  requests: AbortSignal[]
  open: number
  tools: AbortSignal[]
  running: number
}

const nothing = (): Going => ({ requests: [], open: 0, tools: [], running: 0 })

/** Three steps: two parallel reads with text around them, a write, an answer. */
function script() {
  const call = (name: string, at: number) => ({ name, input: { at } })
  return scriptedModel([
    { think: 'Two at once.', say: 'Let me look at both.', call: [call('slow_read', 1), call('slow_read', 2)] },
    { say: 'And write.', call: [call('slow_send', 3)] },
    { say: 'That is all there is.' },
  ])
}

/** The same model, with its requests and streams counted. */
function watched(model: LanguageModelV3, going: Going, stallAt?: number): LanguageModelV3 {
  return {
    ...model,
    async doStream(options) {
      going.requests.push(options.abortSignal!)
      going.open++
      const { stream } = await model.doStream(options)
      const reader = stream.getReader()
      const isStalled = going.requests.length === stallAt
      let isOpen = true
      const close = () => {
        if (isOpen) going.open--
        isOpen = false
      }
      return {
        stream: new ReadableStream<LanguageModelV3StreamPart>({
          async pull(controller) {
            if (isStalled) return new Promise(() => {})
            const { done, value } = await reader.read()
            if (done) return controller.close()
            if (value.type === 'finish') close()
            controller.enqueue(value)
          },
          cancel: close,
        }),
      }
    },
  }
}

function tool(name: string, effect: 'reads' | 'reaches-network', going: Going, stalls = false) {
  return defineTool({
    name,
    title: name,
    description: name,
    activity: name,
    category: 'custom',
    effects: [effect],
    input: z.object({ at: z.number() }),
    output: z.object({ at: z.number() }),
    async run({ at }, { signal, report }) {
      going.tools.push(signal)
      going.running++
      try {
        report({ text: `at ${at}` })
        await new Promise((resolve, reject) => {
          const timer = stalls ? undefined : setTimeout(resolve, 3 * at)
          signal.addEventListener(
            'abort',
            () => {
              clearTimeout(timer)
              reject(signal.reason)
            },
            { once: true },
          )
        })
        return { at }
      } finally {
        going.running--
      }
    },
    render: ({ at }) => `done ${at}`,
  })
}

async function stage(going: Going, { stallAt, stalls = false }: { stallAt?: number; stalls?: boolean } = {}) {
  const context = await testContext({ 'A.md': 'a' })
  const tools = registry([tool('slow_read', 'reads', going, stalls), tool('slow_send', 'reaches-network', going)])
  const setup: AgentSetup = {
    model: watched(script(), going, stallAt),
    modelName: 'scripted/test',
    profile: defaultProfile,
    tools: { registry: tools, context, guard: openGuard(), log: memoryLog(), apply: context.apply } as ToolSetup,
    toolset: tools.all().map((registered) => registered.tool),
    settings: { retry: { attempts: 1 } },
    signal: new AbortController().signal,
  }
  return run({ id: 't', text: 'go', mode: 'agent' }, setup)
}

async function seenUntil(count: number, going: Going): Promise<AgentEvent[]> {
  const seen: AgentEvent[] = []
  for await (const event of await stage(going)) {
    seen.push(event)
    if (seen.length === count) break
  }
  return seen
}

function expectAllStopped(going: Going): void {
  expect(going).toMatchObject({ open: 0, running: 0 })
  expect(going.requests.every(({ aborted }) => aborted)).toBe(true)
}

describe('leaving a turn', () => {
  it('at any of its events stops the request and the tools, and leaves nothing running', async () => {
    const all = await seenUntil(Number.POSITIVE_INFINITY, nothing())
    let stopped = 0
    for (let count = 1; count <= all.length; count++) {
      const going = nothing()
      await seenUntil(count, going)
      expectAllStopped(going)
      stopped += going.tools.filter(({ aborted }) => aborted).length
    }
    // Some of those times tools were at work.
    expect(stopped).toBeGreaterThan(2)
  })

  it('while a model says nothing does not wait for it', async () => {
    const going = nothing()
    const events = await stage(going, { stallAt: 1 })
    while ((await events.next()).value.type !== 'step-start');
    const waiting = events.next()
    await new Promise((resolve) => setTimeout(resolve, 5))
    await events.return(undefined)
    expect(await waiting).toMatchObject({ value: { type: 'run-end', reason: 'stopped' } })
    expectAllStopped(going)
    expect(await events.next()).toEqual({ done: true, value: undefined })
  })

  it('while tools run stops them at once', async () => {
    const going = nothing()
    const events = await stage(going, { stalls: true })
    // Both have reported that they started, which is their last progress event.
    for (let told = 0; told < 2; ) if ((await events.next()).value.type === 'tool-progress') told++
    const waiting = events.next()
    expect(going.running).toBe(2)
    await events.return(undefined)
    expectAllStopped(going)
    expect(going.tools.every(({ aborted }) => aborted)).toBe(true)
    // The last event says that the outcome of the calls is unknown.
    expect(await waiting).toMatchObject({ value: { type: 'messages', messages: [{ role: 'tool' }] } })
  })
})
