import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ParsedReply } from '../../src/core/dialects/index.js'
import { type Stage, stage } from '../e2e/cli-harness.js'
import { caseFiles, toolcallCases } from './cases.js'
import { expectationOf, outcomeOf } from './toolcall-case.js'

let on: Stage
let toolsFile: string

beforeAll(async () => {
  on = await stage()
  toolsFile = join(on.home, '..', 'tools.json')
  const schema = { type: 'object', properties: { path: { type: 'string' } } }
  await writeFile(
    toolsFile,
    JSON.stringify([{ type: 'function', function: { name: 'read_note', parameters: schema } }]),
  )
})
afterAll(() => on.remove())

describe('notewright dialect parse', () => {
  it('prints text, reasoning, calls and errors of the reply on standard input, for any chunking', async () => {
    const input =
      '<think>hm</think>Hi <tool_call>{"name":"read_note","arguments":{"path":"ü.md"}}</tool_call>.<tool_call>{x}</tool_call>'
    for (const words of [[], ['--chunk', '1'], ['--format', 'sentinel', '--json']]) {
      const { code, stdout } = await on.run(['dialect', 'parse', '--tools', toolsFile, ...words], { input })
      expect(code).toBe(0)
      expect(JSON.parse(stdout)).toEqual({
        text: 'Hi .',
        reasoning: 'hm',
        calls: [{ name: 'read_note', arguments: { path: 'ü.md' } }],
        errors: [{ kind: 'malformed', message: expect.stringContaining('could not be read') }],
      })
    }
  })

  it('reads a reply that starts in reasoning', async () => {
    const words = ['dialect', 'parse', '--tools', toolsFile, '--starts-in-reasoning']
    const { stdout } = await on.run(words, { input: 'hm</think>Hi' })
    expect(JSON.parse(stdout)).toMatchObject({ text: 'Hi', reasoning: 'hm' })
  })

  it('reads a batch, one result a line with its id', async () => {
    const lines: (ParsedReply & { id: string })[] = []
    for (const file of caseFiles) {
      const { code, stdout } = await on.run(['dialect', 'parse', '--batch', file])
      expect(code).toBe(0)
      lines.push(
        ...stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line)),
      )
    }
    expect(lines.map(({ id }) => id)).toEqual(toolcallCases.map(({ id }) => id))
    const plain = toolcallCases.filter((one) => one.text_repeat === undefined)
    for (const example of plain) {
      const reply = lines.find(({ id }) => id === example.id)!
      expect(outcomeOf(reply, example), example.id).toEqual(expectationOf(example))
    }
  })

  it.each([
    [['dialect', 'parse'], 'No tools given.\nAdd --tools FILE'],
    [['dialect', 'parse', '--format', 'klingon'], 'Unknown dialect: klingon'],
    [['dialect', 'prase'], "unknown command 'prase'"],
  ])('reports what is wrong with %j', async (words, message) => {
    const { code, stderr } = await on.run(words)
    expect(code).toBe(2)
    expect(stderr).toContain(message)
  })
})
