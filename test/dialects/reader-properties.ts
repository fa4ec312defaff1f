import assert from 'node:assert/strict'
import fc from 'fast-check'
import { dialectNames, openReader, type ReaderOptions, readReply } from '../../src/core/dialects/index.js'
import { cutAtRandom, randomNumbers } from './cuttings.js'
import { fragments } from './fragments.js'
import { type ReaderProperty, talkOfCalls } from './talk-of-calls.js'
import { optionsOf, type ToolcallCase } from './toolcall-case.js'

/** Properties of every reply. The cases are fragments of replies: complete, damaged, quoted. */
export function readerProperties(cases: readonly ToolcallCase[]): ReaderProperty[] {
  const short = cases.filter(({ text }) => text.length < 5000)
  const tools = [...new Map(short.flatMap((one) => optionsOf(one).tools).map((tool) => [tool.name, tool])).values()]
  const calls = short.filter(({ expected, starts_in_reasoning: starts }) => expected.length > 0 && !starts)
  const any = { tools, format: 'any' as const }

  const format = fc.constantFrom('any' as const, ...dialectNames)
  const jumble = fc.array(fc.constantFrom(...fragments), { maxLength: 30 }).map((parts) => parts.join(''))
  const damaged = fc
    .tuple(fc.constantFrom(...short), fc.nat(), fc.nat(30), fc.constantFrom('', ...fragments))
    .map(([{ text }, at, length, put]) => {
      const place = at % (text.length + 1)
      return text.slice(0, place) + put + text.slice(place + length)
    })
  const reply = fc.oneof(jumble, damaged, fc.string({ unit: 'binary' }))
  const options = fc.record<Partial<ReaderOptions>>({
    format,
    startsInReasoning: fc.boolean(),
    limit: fc.constantFrom(undefined, 50),
    wholeReplies: fc.constantFrom(undefined, 'also', 'only'),
  })
  const words = [
    'Some words. ',
    'a < b ',
    '[[Link]] ',
    '[x](y) ',
    '`code` ',
    '**bold** ',
    '\n',
    '\n\n',
    '- [ ] ',
    '<b>x</b> ',
  ]
  const quoted = fc.constantFrom(...calls)
  const isOnlyText = (text: string, setup: ReaderOptions): void => {
    const read = readReply([text], setup)
    assert.deepEqual([read.text, read.calls, read.errors, read.reasoning], [text, [], [], ''])
  }

  return [
    {
      name: 'any reply is read without a crash, and the same however it is cut',
      property: fc.property(reply, options, fc.string(), (text, chosen, seed) => {
        const setup = { tools, ...chosen }
        const whole = readReply([text], setup)
        assert.deepEqual(readReply(text.split(''), setup), whole)
        assert.deepEqual(readReply(cutAtRandom(text, randomNumbers(seed)), setup), whole)
      }),
    },
    {
      name: 'calls are of declared tools, and what was written for JSON says what they say',
      property: fc.property(reply, format, (text, chosen) => {
        const reader = openReader({ tools, format: chosen })
        for (const event of [...reader.push(text), ...reader.end()]) {
          if (event.type !== 'call') continue
          assert(tools.some(({ name }) => name === event.name))
          const written = event.text === undefined ? undefined : parsed(event.text)
          if (written !== undefined) assert.deepEqual(event.arguments, written)
        }
      }),
    },
    {
      name: 'nothing is shown that was not in the reply',
      property: fc.property(reply, format, (text, chosen) => {
        assert(isSubsequence(readReply([text], { tools, format: chosen }).text, text))
      }),
    },
    {
      name: 'with no tools and no reasoning a reply passes unchanged',
      property: fc.property(reply, format, (text, chosen) => {
        fc.pre(!/think|channel|<\|start|<\|end|<\|open|<\|close|^\s*(?:assistant|analysis|commentary)/i.test(text))
        isOnlyText(text, { tools: [], format: chosen })
      }),
    },
    {
      name: 'prose without markers is shown unchanged',
      property: fc.property(fc.array(fc.constantFrom(...words), { maxLength: 60 }), (parts) =>
        isOnlyText(parts.join(''), any),
      ),
    },
    {
      name: 'a call quoted in a fence is text',
      property: fc.property(
        quoted,
        fc.constantFrom('```', '````', '~~~', '```xml', '  ```', '> ```'),
        fc.constantFrom('', 'Like this:\n', 'One. Two.\n\n'),
        fc.boolean(),
        (example, opener, before, isClosed) => {
          const mark = /[`~]+/.exec(opener)![0]
          fc.pre(!example.text.split('\n').some((line) => line.trim().startsWith(mark)))
          const text = `${before}${opener}\n${example.text}\n${isClosed ? `${mark}\n` : ''}`
          isOnlyText(text, any)
          isOnlyText(text, { ...optionsOf(example), tools })
        },
      ),
    },
    {
      name: 'a call quoted in inline code is text',
      property: fc.property(quoted, fc.integer({ min: 1, max: 4 }), ({ text }, length) => {
        const mark = '`'.repeat(length)
        fc.pre(!/\n[ \t\r]*\n/.test(text) && !text.includes('`'))
        isOnlyText(`Write ${mark} ${text.trim()} ${mark} by hand.`, any)
      }),
    },
    talkOfCalls(cases),
    {
      name: 'a call in reasoning is reasoning',
      property: fc.property(
        quoted,
        fc.constantFrom(['<think>', '</think>'], ['[THINK]', '[/THINK]'], ['<|START_THINKING|>', '<|END_THINKING|>']),
        fc.boolean(),
        ({ text }, [opener, closer], isOpened) => {
          fc.pre(!/think/i.test(text))
          const whole = `${isOpened ? opener : ''}hm ${text} no${closer}Done.`
          const read = readReply([whole], { ...any, startsInReasoning: !isOpened })
          assert.deepEqual([read.text, read.calls, read.errors, read.reasoning], ['Done.', [], [], `hm ${text} no`])
        },
      ),
    },
    {
      name: 'a call in an argument is data',
      property: fc.property(quoted, ({ text }) => {
        const call = { name: 'write_note', arguments: { path: 'Log.md', content: text } }
        const read = readReply([`<tool_call>${JSON.stringify(call)}</tool_call>`], any)
        assert.deepEqual([read.text, read.calls, read.errors], ['', [call], []])
      }),
    },
  ] as ReaderProperty[]
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isSubsequence(part: string, whole: string): boolean {
  let at = 0
  for (let index = 0; index < part.length; index++) {
    at = whole.indexOf(part[index], at) + 1
    if (at === 0) return false
  }
  return true
}
