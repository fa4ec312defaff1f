import { expect, it } from 'vitest'
import { style, type Terminal } from '../terminal/index.js'
import { turnScreen } from './turn-screen.js'

it('shows a person at the terminal how long the prompt has been read, and when a request is made again', () => {
  const drawn: string[] = []
  const terminal = {
    style: style(false),
    messageStyle: style(false),
    isScreen: true,
    messages: { isTTY: true, columns: 80, write: (text: string) => drawn.push(text) },
    say: (text: string) => drawn.push(text),
  } as unknown as Terminal
  const screen = turnScreen(terminal)
  screen.show({ type: 'step-start', step: 1 })
  screen.show({ type: 'waiting', why: 'prompt', seconds: 40 })
  expect(drawn.at(-1)).toContain('Reading the prompt, 40 s')
  screen.show({ type: 'retrying', why: 'OpenAI asks to slow down.', waitMs: 20_000 })
  expect(drawn.at(-1)).toContain('OpenAI asks to slow down. Trying again in 20 s.')
  screen.show({ type: 'waiting', why: 'retry', seconds: 15 })
  expect(drawn.at(-1)).toContain('Trying again in 15 s')
  screen.pause()
})
