import { describe, expect, it } from 'vitest'
import { type DialectName, dialectNames, openReader } from '../../src/core/dialects/index.js'
import { countedWork } from './counted-work.js'

const text = { type: 'string' }
const tools = ['read_note', 'write_note'].map((name) => ({
  name,
  inputSchema: { type: 'object', properties: { path: text, content: text } },
}))

const floods = [
  ...['<', '[', '{', '`', '<tool', '<|', '"', '\\', '\n', ' ', '<a', '</a>', '` ``', '</think>', '[THINK]'],
  ...[']<]minimax[>[', ']<]minimax[>[<a>', '<|open|>', '<|open|>tools<|sep|>', 'analysis', 'assistantanalysis', '<co>'],
  ...['<tool_calls:a>', '<｜DSML｜invoke name="read_note">', '<|message_sep|>\n', '<|channel|>commentary'],
  ...['<tool_call>', '<use_tool>', '<read_note>', '<read_note><path>', '<function=read_note><parameter=path>'],
]

function read(format: 'any' | DialectName, reply: string, piece: number): void {
  const reader = openReader({ tools, format })
  for (let at = 0; at < reply.length; at += piece) reader.push(reply.slice(at, at + piece))
  reader.end()
}

// Steps of our own code are counted, not time: the same on every machine.
describe.each(['any', ...dialectNames] as const)('a flood in the dialect %s', (format) => {
  it.each([Number.POSITIVE_INFINITY, 20])('takes a constant number of steps per character in pieces of %d', (piece) => {
    for (const flood of floods) {
      const [short, long] = [1000, 8000].map((length) => {
        const reply = flood.repeat(length / flood.length)
        return countedWork('/src/core/dialects/', () => read(format, reply, piece)) / reply.length
      })
      expect.soft(long, flood).toBeLessThan(130)
      expect.soft(long, flood).toBeLessThan(short * 1.5 + 5)
    }
  })
})
