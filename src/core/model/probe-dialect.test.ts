import { describe, expect, it } from 'vitest'
import { callPart, finishPart, replayingModel, textParts } from '../../../test/doubles/replaying-model.js'
import { type DialectCandidate, type DialectMemory, probeDialect } from './probe-dialect.js'

const good = [callPart('pick_word', '{"word":"pear"}'), finishPart('tool-calls')]
const chat = [...textParts('I cannot call tools.'), finishPart()]
const signal = new AbortController().signal
const refusal = Object.assign(new Error('m does not support tools'), {
  statusCode: 400,
  responseBody: '{"error":"m does not support tools"}',
})

function memory(): DialectMemory & { known: Map<string, string> } {
  const known = new Map<string, string>()
  return {
    known,
    recall: async (model) => known.get(model),
    remember: async (model, dialect) => void known.set(model, dialect),
  }
}

/** Each candidate answers with a script of its own, whatever model it wraps. */
const candidates = (scripts: Record<string, Parameters<typeof replayingModel>[1]>) =>
  Object.entries(scripts).map(([name, script]) => ({ name, wrap: () => replayingModel('m', script) })) as unknown as [
    DialectCandidate,
    DialectCandidate,
  ]

const probe = (scripts: Record<string, Parameters<typeof replayingModel>[1]>, store = memory()) =>
  probeDialect(replayingModel('m'), { name: 'ollama/m', candidates: candidates(scripts), memory: store, signal })

describe('probing how a model calls tools', () => {
  it('takes the first dialect in which it makes the call, and stores it', async () => {
    const store = memory()
    expect(await probe({ native: chat, sentinel: good }, store)).toMatchObject({
      dialect: 'sentinel',
      proven: true,
    })
    expect(store.known).toEqual(new Map([['ollama/m', 'sentinel']]))
    expect(await probe({ native: good, sentinel: chat }, store)).toMatchObject({
      dialect: 'sentinel',
      remembered: true,
      tried: [],
    })
  })

  it('continues when a server refuses tools', async () => {
    const { dialect, tried } = await probe({ native: refusal, sentinel: good })
    expect(dialect).toBe('sentinel')
    expect(tried).toEqual([
      { dialect: 'native', outcome: 'refused' },
      { dialect: 'sentinel', outcome: 'called' },
    ])
  })

  it('rejects another call, and wrong arguments', async () => {
    const wrong = [callPart('pick_word', '{"word":"apple"}'), finishPart()]
    const other = [callPart('search', '{"word":"pear"}'), finishPart()]
    const broken = [callPart('pick_word', '{"word":"pear"'), finishPart()]
    for (const script of [wrong, other, broken]) {
      const { tried } = await probe({ native: script, sentinel: good })
      expect(tried.map(({ outcome }) => outcome)).toEqual(['wrong-call', 'called'])
    }
  })

  it('stores that it made no call in either dialect, so that the wait happens once', async () => {
    const store = memory()
    expect(await probe({ native: chat, sentinel: chat }, store)).toMatchObject({ dialect: 'sentinel', proven: false })
    expect(store.known).toEqual(new Map([['ollama/m', 'sentinel']]))
    expect(await probe({ native: good, sentinel: good }, store)).toMatchObject({ dialect: 'sentinel', tried: [] })
  })

  it('stores nothing about a provider that refuses everything', async () => {
    const store = memory()
    expect(await probe({ native: refusal, sentinel: refusal }, store)).toMatchObject({ dialect: 'sentinel' })
    expect(store.known.size).toBe(0)
  })

  it('concludes nothing from a provider that cannot be reached', async () => {
    const gone = Object.assign(new TypeError('fetch failed'), {
      cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }),
    })
    const store = memory()
    await expect(probe({ native: gone, sentinel: good }, store)).rejects.toMatchObject({ code: 'network' })
    expect(store.known.size).toBe(0)
  })
})
