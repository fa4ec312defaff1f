import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'
import { type AgentEvent, run } from '../../../src/core/agent/index.js'
import { withDialect } from '../../../src/core/dialects/index.js'
import { defaultProfile, type LanguageModelV3 } from '../../../src/core/model/index.js'
import { openModel } from '../../../src/core/providers/index.js'
import { mediaTools } from '../../../src/core/tools/built-in.js'
import type { Tool } from '../../../src/core/tools/index.js'
import { dialectsToTry, inDialect } from '../../agent/in-dialect.js'
import { type Played, playTurn, type Stage } from '../../agent/play.js'
import { scriptedModel } from '../../doubles/scripted-model.js'
import { everyProvider } from '../../providers/every-provider.js'
import { chatChunk, eventStream, loopback } from '../../providers/loopback.js'
import { loopbackWeb } from '../../web/loopback-web.js'
import type { Check, SecurityCase } from '../security-case.js'
import { withTools } from '../tools/tool-floor.js'

/** A turn is stopped in each state. How soon it ends is measured by `bench/agent/abort.mjs`; here: that it ends, and that nothing follows. */
export function abortChecks(of: SecurityCase): Check[] {
  const checks: Record<string, Check[]> = {
    'waiting provider': everyProvider.map(({ name, environment }) => ({
      name: `while ${name} has not answered: it ends, and the connection is closed`,
      run: async () => {
        const server = await loopback(() => {})
        try {
          const { model } = await openModel(name, { environment: environment(server.url), fetch })
          await stopIn({ model, isIn: () => server.requests.length === 1, isClosed: () => server.closed() === 1 })
          expect(server.requests).toHaveLength(1)
        } finally {
          await server.stop()
        }
      },
    })),
    streaming: dialectsToTry.map((dialect) => ({
      name: `in the middle of an answer with half a call in it: it ends with what had come, and nothing is run (${dialect})`,
      run: async () => {
        const server = await loopback((response) => {
          eventStream(response).write(chatChunk({ content: 'So far ' }))
          const half = {
            index: 0,
            id: 'a',
            type: 'function',
            function: { name: 'write_note', arguments: '{"path":"A' },
          }
          const written = '<tool_call>\n{"name": "write_note", "arguments": {"path": "A'
          response.write(chatChunk(dialect === 'native' ? { tool_calls: [half] } : { content: written }))
        })
        try {
          const environment = { NOTEWRIGHT_COMPATIBLE_URL: server.url }
          const { model } = await openModel('compatible/m', { environment, fetch })
          let heard = ''
          const { end } = await stopIn({
            model: withDialect(model, { dialect, profile: defaultProfile }),
            stage: { asker: () => ({ verdict: 'allow' }), onEvent: (event) => (heard += textOf(event)) },
            isIn: () => heard.startsWith('So far'),
            isClosed: () => server.closed() === 1,
          })
          expect(end.text.trim()).toBe('So far')
        } finally {
          await server.stop()
        }
      },
    })),
    'in tool': dialectsToTry.map((dialect) => ({
      name: `while a page is loading: it ends, the connection is closed, and the call after it never runs (${dialect})`,
      run: async () => {
        const own = await loopbackWeb()
        own.hosts['example.org'] = () => {}
        try {
          const calls = [
            { name: 'web_fetch', input: { url: 'http://example.org/' } },
            { name: 'write_note', input: { path: 'New.md', content: 'Late.' } },
          ]
          const { log } = await stopIn({
            model: speaking([{ call: calls }, { say: 'Late.' }], dialect),
            stage: {
              more: mediaTools as readonly Tool[],
              context: { web: own.web },
              asker: (panel) =>
                panel.kind === 'batch'
                  ? {
                      verdict: 'each',
                      answers: Object.fromEntries(panel.requests.map(({ id }) => [id, { verdict: 'allow' as const }])),
                    }
                  : { verdict: 'allow' },
            },
            isIn: () => own.requests.length === 1,
            isClosed: () => own.sockets.size === 0,
          })
          expect(log.calls.map(({ tool_name }) => tool_name)).toEqual(['web_fetch'])
        } finally {
          await own.close()
        }
      },
    })),
    'in approval': dialectsToTry.map((dialect) => ({
      name: `while the person is asked: it ends, and a yes that comes too late writes nothing (${dialect})`,
      run: async () => {
        let isAsked = false
        let sayYes = () => {}
        const { changedByNow, log } = await stopIn({
          model: speaking([{ call: [{ name: 'write_note', input: { path: 'New.md', content: 'Late.' } }] }], dialect),
          stage: {
            asker: () => {
              isAsked = true
              return new Promise((resolve) => {
                sayYes = () => resolve({ verdict: 'allow' })
              })
            },
          },
          isIn: () => isAsked,
          isClosed: () => true,
        })
        sayYes()
        await wait(20)
        expect(changedByNow()).toEqual({})
        expect(log.calls.filter(({ decision }) => decision === 'approved')).toEqual([])
      },
    })),
    'in index build': [
      {
        name: 'while the index is built: it ends without a result, and the next build finds every note',
        run: stopIndexing,
      },
    ],
    // A later floor.
    'in MCP call': [],
  }
  const states = of.setup.replace(/^.*: /, '').split(', ')
  return states.flatMap((state) => checks[state])
}

const textOf = (event: AgentEvent): string => (event.type === 'text-delta' ? event.text : '')

function speaking(steps: Parameters<typeof inDialect>[0][], dialect: Parameters<typeof inDialect>[1]): LanguageModelV3 {
  return withDialect(scriptedModel(steps.map((step) => inDialect(step, dialect))), { dialect, profile: defaultProfile })
}

interface State {
  model: LanguageModelV3
  stage?: Stage
  isIn(): boolean
  isClosed(): boolean
}

/** Stops the turn when it is there. Afterwards nothing is open, and nothing has changed, then or a moment later. */
async function stopIn({ model, stage, isIn, isClosed }: State): Promise<Played> {
  const stop = new AbortController()
  const playing = playTurn(model, 'Go.', { ...stage, setup: { signal: stop.signal } })
  await expect.poll(isIn, { interval: 1 }).toBe(true)
  stop.abort(new Error('stopped'))
  const played = await playing
  expect(played.end).toMatchObject({ reason: 'stopped' })
  expect(played.changed).toEqual({})
  await expect.poll(isClosed, { interval: 1 }).toBe(true)
  const rows = JSON.stringify(played.log.calls)
  await wait(20)
  expect(played.changedByNow()).toEqual({})
  expect(JSON.stringify(played.log.calls)).toBe(rows)
  return played
}

async function stopIndexing(): Promise<void> {
  await withTools({ 'First.md': 'The first.\n' }, {}, async ({ setup, put, notebook }) => {
    const count = 600
    for (let at = 0; at < count; at++)
      put(`Note ${at}.md`, `# Note ${at}\n\n${`Words about number ${at}. `.repeat(80)}\n`)
    const stop = new AbortController()
    const events: AgentEvent[] = []
    const turn = { id: 'turn-1', text: 'Index.', mode: 'agent' as const }
    const agent = {
      model: scriptedModel([{ call: [{ name: 'index_vault', input: {} }] }, { say: 'Late.' }]),
      modelName: 'scripted/model',
      profile: defaultProfile,
      tools: setup,
      toolset: setup.registry.all().map(({ tool }) => tool),
      signal: stop.signal,
    }
    for await (const event of run(turn, agent)) {
      events.push(event)
      if (event.type === 'tool-progress') stop.abort(new Error('stopped'))
    }
    expect(stop.signal.aborted).toBe(true)
    expect(events.at(-1)).toMatchObject({ type: 'run-end', reason: 'stopped' })
    expect(events.filter(({ type }) => type === 'tool-result')).toEqual([])
    await notebook.update({ vectors: false })
    expect((await notebook.index.notes()).length).toBe(count + 1)
  })
}
