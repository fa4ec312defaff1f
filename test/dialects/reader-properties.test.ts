import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dialectNames, openReader, type ReaderOptions, readReply } from '../../src/core/dialects/index.js'
import { cutAtRandom, randomNumbers } from './cuttings.js'
import { fragments } from './fragments.js'
import { optionsOf, toolcallCases } from './toolcall-case.js'

const shortCases = toolcallCases.filter(({ text }) => text.length < 5000)
const tools = [...new Map(shortCases.flatMap((one) => optionsOf(one).tools).map((tool) => [tool.name, tool])).values()]
const calls = shortCases.filter(({ expected, starts_in_reasoning: starts }) => expected.length > 0 && !starts)

const format = fc.constantFrom('any' as const, ...dialectNames)
const jumble = fc.array(fc.constantFrom(...fragments), { maxLength: 30 }).map((parts) => parts.join(''))
const damaged = fc
  .tuple(fc.constantFrom(...shortCases), fc.nat(), fc.nat(30), fc.constantFrom('', ...fragments))
  .map(([{ text }, at, length, put]) => {
    const place = at % (text.length + 1)
    return text.slice(0, place) + put + text.slice(place + length)
  })
const reply = fc.oneof(jumble, damaged, fc.string({ unit: 'binary' }))
const options = fc.record<Partial<ReaderOptions>>({
  format,
  startsInReasoning: fc.boolean(),
  textAfterCall: fc.constantFrom(undefined, 0, 10),
  limit: fc.constantFrom(undefined, 50),
})

const runs = { numRuns: 2000 }

describe('any reply', () => {
  it('is read without a crash, and the same however it is cut', () => {
    fc.assert(
      fc.property(reply, options, fc.string(), (text, chosen, seed) => {
        const setup = { tools, ...chosen }
        const whole = readReply([text], setup)
        expect(readReply(text.split(''), setup)).toEqual(whole)
        expect(readReply(cutAtRandom(text, randomNumbers(seed)), setup)).toEqual(whole)
      }),
      runs,
    )
  })

  it('calls only tools that are declared, and starts every call it ends', () => {
    fc.assert(
      fc.property(reply, format, (text, chosen) => {
        const reader = openReader({ tools, format: chosen })
        const events = [...reader.push(text), ...reader.end()]
        const started = new Map<number, string>()
        for (const event of events) {
          if (event.type === 'call-start') started.set(event.index, event.name)
          if (event.type !== 'call') continue
          expect(tools.map(({ name }) => name)).toContain(event.name)
          expect(started.get(event.index)).toBe(event.name)
          started.delete(event.index)
        }
      }),
      runs,
    )
  })

  it('shows nothing that was not in it', () => {
    fc.assert(
      fc.property(reply, format, (text, chosen) => {
        const shown = readReply([text], { tools, format: chosen })
        expect(isSubsequence(shown.text, text)).toBe(true)
      }),
      runs,
    )
  })

  it('passes unchanged when no tool is declared and it holds no reasoning', () => {
    fc.assert(
      fc.property(reply, format, (text, chosen) => {
        fc.pre(!/think|channel|<\|start|<\|end/i.test(text))
        expect(readReply([text], { tools: [], format: chosen })).toMatchObject({ text, calls: [], errors: [] })
      }),
      runs,
    )
  })
})

describe('prose without markers', () => {
  it('is shown unchanged', () => {
    const words = fc.array(
      fc.constantFrom(
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
      ),
      { maxLength: 60 },
    )
    fc.assert(
      fc.property(words, (parts) => {
        const text = parts.join('')
        expect(readReply([text], { tools, format: 'any' })).toMatchObject({
          text,
          calls: [],
          errors: [],
          reasoning: '',
        })
      }),
      runs,
    )
  })
})

describe('a call that is only quoted', () => {
  const quoted = fc.constantFrom(...calls)
  const prose = fc.constantFrom('', 'Like this:\n', 'One. Two.\n\n')

  it('in a fence is text', () => {
    const fence = fc.constantFrom('```', '````', '~~~', '```xml', '  ```', '> ```')
    fc.assert(
      fc.property(quoted, fence, prose, fc.boolean(), ({ text, format: name }, opener, before, closes) => {
        const mark = /[`~]+/.exec(opener)![0]
        fc.pre(!text.split('\n').some((line) => line.trim().startsWith(mark)))
        const whole = `${before}${opener}\n${text}\n${closes ? `${mark}\n` : ''}`
        for (const chosen of ['any', name.replaceAll('-', '_')] as ReaderOptions['format'][]) {
          expect(readReply([whole], { tools, format: chosen })).toMatchObject({ text: whole, calls: [], errors: [] })
        }
      }),
      runs,
    )
  })

  it('in inline code is text', () => {
    fc.assert(
      fc.property(quoted, fc.integer({ min: 1, max: 4 }), ({ text }, length) => {
        const mark = '`'.repeat(length)
        fc.pre(!/\n[ \t\r]*\n/.test(text) && !text.includes('`'))
        const whole = `Write ${mark} ${text.trim()} ${mark} by hand.`
        expect(readReply([whole], { tools, format: 'any' })).toMatchObject({ text: whole, calls: [], errors: [] })
      }),
      runs,
    )
  })

  it('in reasoning is reasoning', () => {
    const tags = fc.constantFrom(
      ['<think>', '</think>'],
      ['[THINK]', '[/THINK]'],
      ['<|START_THINKING|>', '<|END_THINKING|>'],
    )
    fc.assert(
      fc.property(quoted, tags, fc.boolean(), ({ text }, [opener, closer], isOpened) => {
        fc.pre(!/think/i.test(text))
        const whole = `${isOpened ? opener : ''}hm ${text} no${closer}Done.`
        const read = readReply([whole], { tools, format: 'any', startsInReasoning: !isOpened })
        expect(read).toMatchObject({ text: 'Done.', calls: [], errors: [], reasoning: `hm ${text} no` })
      }),
      runs,
    )
  })

  it('in an argument is data', () => {
    fc.assert(
      fc.property(quoted, ({ text }) => {
        const call = { name: 'write_note', arguments: { path: 'Log.md', content: text } }
        const whole = `<tool_call>${JSON.stringify(call)}</tool_call>`
        expect(readReply([whole], { tools, format: 'any' })).toMatchObject({ text: '', calls: [call], errors: [] })
      }),
      runs,
    )
  })
})

function isSubsequence(part: string, whole: string): boolean {
  let at = 0
  for (let index = 0; index < part.length; index++) {
    at = whole.indexOf(part[index], at) + 1
    if (at === 0) return false
  }
  return true
}
