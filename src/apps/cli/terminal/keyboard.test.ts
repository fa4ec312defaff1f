import fc from 'fast-check'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { collectTypedAhead, type Key, type Keyboard, type KeyReader, keyReader } from './keyboard.js'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

function fakeKeys() {
  let listener: ((key: Key) => void) | undefined
  const keys: Keyboard = {
    listen(given) {
      listener = given
      return () => {
        listener = undefined
      }
    },
    aside: (work) => work(),
    close: () => {},
  }
  const type = (text: string) => {
    for (const letter of text) {
      const named = { '\r': 'return', '\x1b': 'escape' }[letter]
      listener?.({ name: named ?? '', text: named ? '' : letter, ctrl: false, alt: false })
    }
  }
  return { keys, type }
}

function ask(press: KeyReader, given: { isTyping?: boolean } = {}) {
  const { keys, type } = fakeKeys()
  const stray: string[] = []
  let answer: unknown
  void press(keys, { letters: 'ynar', onStray: (text) => stray.push(text), ...given }).then((said) => {
    answer = said
  })
  const after = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms)
    return answer
  }
  return { type, after, stray }
}

it('answers at one key, without Enter', async () => {
  const { type, after } = ask(keyReader())
  type('y')
  expect(await after(200)).toEqual({ kind: 'key', key: 'y' })
})

it('reads Enter and Esc as keys, and whole words with Enter', async () => {
  for (const [typed, answer] of [
    ['\r', { kind: 'key', key: '' }],
    ['\x1b', { kind: 'escape' }],
    ['yes\r', { kind: 'key', key: 'y' }],
    ['no\r', { kind: 'key', key: 'n' }],
  ] as const) {
    const { type, after } = ask(keyReader())
    type(typed)
    expect(await after(10)).toEqual(answer)
  }
})

it('is never answered by a word that someone is writing, whatever letters it has', async () => {
  await fc.assert(
    fc.asyncProperty(fc.stringMatching(/^[a-z ]{2,20}$/), async (words) => {
      const { type, after, stray } = ask(keyReader())
      for (const letter of words) {
        type(letter)
        await after(50)
      }
      expect(await after(300)).toBeUndefined()
      expect(stray.join('')).toBe(words)
    }),
    { numRuns: 60 },
  )
})

it('waits until someone who was writing has paused', async () => {
  const { type, after, stray } = ask(keyReader(), { isTyping: true })
  await after(100)
  type('y')
  expect(await after(600)).toBeUndefined()
  await after(200)
  expect(stray).toEqual(['y'])
  type('y')
  expect(await after(200)).toEqual({ kind: 'key', key: 'y' })
})

it('does not take the Enter after one answer for the next', async () => {
  const press = keyReader()
  const first = ask(press)
  first.type('y')
  await first.after(150)
  const second = ask(press)
  second.type('\r')
  expect(await second.after(700)).toBeUndefined()
  second.type('\r')
  expect(await second.after(10)).toEqual({ kind: 'key', key: '' })
})

it('what is typed while a command runs is the beginning of the next input', () => {
  const listeners: ((key: Key) => void)[] = []
  const keys = {
    listen(listener: (key: Key) => void) {
      listeners.push(listener)
      return () => void listeners.pop()
    },
  }
  const press = (name: string, text = '') => listeners.at(-1)?.({ name, text, ctrl: false, alt: false })
  const typing = collectTypedAhead(keys, () => {})
  for (const letter of 'beanz') press('', letter)
  press('backspace')
  press('return')
  press('paste', 's and poles')
  expect(typing.end()).toBe('beans and poles')
  expect(listeners).toEqual([])
})
