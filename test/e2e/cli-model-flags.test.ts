import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Stage, stage } from './cli-harness.js'
import { type ModelServer, modelServer } from './model-server.js'

let here: Stage
let server: ModelServer

beforeEach(async () => {
  here = await stage()
  server = await modelServer({ say: 'Hello.' })
})
afterEach(async () => {
  await here.remove()
  await server.stop()
})

const ask = (words: string[], environment: Record<string, string> = {}) =>
  here.run(['ask', 'hello?', '-m', 'compatible/test', '--vault', here.vault, ...words], {
    environment: { ...server.environment, ...environment },
  })

describe('model options on the command line', () => {
  it('reach the model', async () => {
    const flags = [
      '--temperature',
      '0.2',
      '--instructions',
      'Rhyme.',
      '--no-stream',
      '--max-steps',
      '1',
      '--mode',
      'chat',
    ]
    const more = ['--context-window', '4096', '--stall-seconds', '90', '--minutes', '2', '--thinking', 'off']
    const { code, stdout, stderr } = await ask([...flags, ...more])
    expect([code, stdout, stderr]).toEqual([0, 'Hello.\n', ''])
    const [sent] = server.prompts() as unknown as Record<string, unknown>[]
    expect(sent).toMatchObject({ temperature: 0.2 })
    expect(sent.stream).toBeUndefined()
    expect(JSON.stringify(sent.messages)).toContain('Rhyme.')
  })

  it('can also be set in the environment, and flags take precedence', async () => {
    const environment = { NOTEWRIGHT_STREAM: 'false', NOTEWRIGHT_TEMPERATURE: '1', NOTEWRIGHT_INSTRUCTIONS: 'Rhyme.' }
    await ask(['--temperature', '0', '--stream'], environment)
    const [sent] = server.prompts() as unknown as Record<string, unknown>[]
    expect(sent).toMatchObject({ temperature: 0, stream: true })
    expect(JSON.stringify(sent.messages)).toContain('Rhyme.')
  })

  it.each([
    [['--temperature', 'hot'], 'a number from 0 to 2'],
    [['--thinking', 'maybe'], 'off, on, or a number of tokens'],
    [['--context-window', '12'], 'a whole number from 1024'],
    [['--stall-seconds', '0'], 'a whole number from 1'],
  ])('are refused if invalid: %j', async (flags, expected) => {
    const { code, stderr } = await ask(flags)
    expect(code).toBe(2)
    expect(stderr).toContain(expected)
  })
})
