import { afterEach, describe, expect, it } from 'vitest'
import { channel } from '../../../../test/doubles/thread-channel.js'
import { Failure } from '../../errors.js'
import { IndexCorrupt } from '../index-store.js'
import { type Rpc, rpcMethod, rpcOverPort } from './rpc-over-port.js'

const doubled = rpcMethod<number, number>('doubled')
const counted = rpcMethod<number, string, number>('counted')

const open: { close(): void }[] = []
afterEach(() => open.splice(0).forEach((each) => void each.close()))

function twoSides(): [Rpc, Rpc] {
  const both = channel()
  open.push(both)
  return [rpcOverPort(both.here), rpcOverPort(both.there)]
}

describe('calls between threads', () => {
  it('are answered on either side, several at once, each with its own answer', async () => {
    const [here, there] = twoSides()
    here.answer(doubled, async (number) => 2 * number)
    there.answer(doubled, (number) => 20 * number)
    const answers = await Promise.all([there.ask(doubled, 1), here.ask(doubled, 2), there.ask(doubled, 3)])
    expect(answers).toEqual([2, 40, 6])
  })

  it('send parts before the answer', async () => {
    const [here, there] = twoSides()
    there.answer(counted, (upTo, { tell }) => {
      for (let number = 1; number <= upTo; number++) tell(number)
      return 'done'
    })
    const parts: number[] = []
    expect(await here.ask(counted, 3, { onPart: (part) => parts.push(part) })).toBe('done')
    expect(parts).toEqual([1, 2, 3])
  })

  it('fail with the error that the other side threw, of the same kind', async () => {
    const [here, there] = twoSides()
    const details = { hint: 'Look elsewhere.', command: 'notewright search', data: { candidates: ['a.md'] } }
    const errors = [new Failure('ambiguous', 'Which?', details), new IndexCorrupt('torn'), new TypeError('a bug')]
    there.answer(doubled, (at) => {
      throw errors[at]
    })
    await expect(here.ask(doubled, 0)).rejects.toMatchObject({ code: 'ambiguous', message: 'Which?', details })
    await expect(here.ask(doubled, 0)).rejects.toBeInstanceOf(Failure)
    await expect(here.ask(doubled, 1)).rejects.toBeInstanceOf(IndexCorrupt)
    await expect(here.ask(doubled, 2)).rejects.toThrow('a bug')
    await expect(there.ask(doubled, 2)).rejects.toThrow('does not answer doubled')
  })

  it('are aborted by their signal and reject with its reason', async () => {
    const [here, there] = twoSides()
    const stopping = new AbortController()
    there.answer(counted, async (_, { signal, tell }) => {
      tell(1)
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
      signal.throwIfAborted()
      return 'never'
    })
    const asking = here.ask(counted, 1, { signal: stopping.signal, onPart: () => stopping.abort(new Error('enough')) })
    await expect(asking).rejects.toThrow('enough')
  })

  it('fail, pending and later ones, when the other side has ended', async () => {
    const [here, there] = twoSides()
    there.answer(doubled, () => new Promise(() => {}))
    const asking = here.ask(doubled, 1)
    here.end(new Error('the thread has ended'))
    await expect(asking).rejects.toThrow('the thread has ended')
    await expect(here.ask(doubled, 1)).rejects.toThrow('the thread has ended')
  })
})
