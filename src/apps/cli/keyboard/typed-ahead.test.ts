import { expect, it } from 'vitest'
import type { Key } from './keyboard.js'
import { typedAhead } from './typed-ahead.js'

it('what is typed while a command runs is the beginning of the next input', () => {
  const listeners: ((key: Key) => void)[] = []
  const keys = {
    listen(listener: (key: Key) => void) {
      listeners.push(listener)
      return () => void listeners.pop()
    },
  }
  const press = (name: string, text = '') => listeners.at(-1)?.({ name, text, ctrl: false, alt: false })
  const typing = typedAhead(keys, () => {})
  for (const letter of 'beanz') press('', letter)
  press('backspace')
  press('return')
  press('paste', 's and poles')
  expect(typing.end()).toBe('beans and poles')
  expect(listeners).toEqual([])
})
