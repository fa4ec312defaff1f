import assert from 'node:assert/strict'
import fc from 'fast-check'
import { type ReaderTool, readReply } from '../../src/core/dialects/index.js'
import { optionsOf, type ToolcallCase } from './toolcall-case.js'

export interface ReaderProperty {
  name: string
  property: fc.IProperty<unknown[]>
}

/**
 * Replies that only talk about calls: prose with calls in its sentences, fences that show one, quotations, lists and
 * tables. Every call of the cases occurs in them, and every form without a marker. None is read as a call.
 */
export function talkOfCalls(cases: readonly ToolcallCase[]): ReaderProperty {
  const short = cases.filter(({ text }) => text.length < 2000)
  const tools = [...new Map(short.flatMap((one) => optionsOf(one).tools).map((tool) => [tool.name, tool])).values()]
  return {
    name: 'what only talks about calls is text, however replies are read',
    property: fc.property(replies(short, tools), (reply) => {
      for (const wholeReplies of [undefined, 'also', 'only'] as const) {
        const read = readReply([reply], { tools, format: 'any', wholeReplies })
        assert.deepEqual(read.calls, [])
        // A fence that comes first may have been meant: then the model is asked about it.
        if (wholeReplies && /^[> ]*(?:```|~~~)/.test(reply)) continue
        assert.deepEqual([read.errors, read.reasoning, read.text], [[], '', reply])
      }
    }),
  }
}

const sentences = [
  'Moss grows in the shade of the wall.',
  'I looked at the three notes you named.',
  'The model wrote this into the log.',
  'Das Werkzeug sucht in den Notizen.',
  '搜索笔记的工具是这样写的。',
  'Nothing was changed, and **nothing** has to be.',
  'See [[Tools]] and [the manual](tools.md).',
  'Is that what you meant?',
]
/** Lead-ins that say that something is shown. */
const shows = [
  'For example:',
  'It would look like this:',
  'The format of a call is this:',
  'You could write, for instance:',
  'Ein Beispiel:',
  '例如：',
]
const labels = ['', 'json', 'xml', 'python', 'tool_call', 'tool_code', 'text', 'markdown', 'js']

function replies(cases: readonly ToolcallCase[], tools: readonly ReaderTool[]): fc.Arbitrary<string> {
  const marked = cases
    .filter(
      ({ expected, text }) => expected.length > 0 && !/think|channel|^(?:analysis|commentary)|[`~]{3}/i.test(text),
    )
    .map(({ text }) => text)
  const bare = fc.tuple(fc.constantFrom(...tools), fc.constantFrom(...forms), fc.nat()).map(bareCall)
  const call = fc.oneof(fc.constantFrom(...marked), bare)
  const sentence = fc.constantFrom(...sentences)
  const fence = fc
    .tuple(call, fc.constantFrom(...labels), fc.constantFrom('```', '````', '~~~'), fc.constantFrom('', '  ', '> '))
    .map(([text, label, mark, before]) => quoted(`${mark}${label}\n${text}\n${mark}`, before))
  const shown = fc.tuple(fc.constantFrom(...shows), fence, fc.oneof(fc.constant(''), sentence)).map(lines)
  const explained = fc.tuple(sentence, fence, sentence).map(paragraphs)
  const quotation = fc.tuple(sentence, call).map(([words, text]) => `${words}\n\n${quoted(text, '> ')}`)
  const inline = call.filter((text) => !/`|\n\s*\n/.test(text)).map((text) => `Write \`${text.trim()}\` for it.`)
  const inSentence = bare.map((text) => `The call ${text.replace(/\s+/g, ' ')} reads it.`)
  const alone = fc.tuple(sentence, bare, sentence).map(lines)
  const item = bare.map((text) => `- ${text.replace(/\s+/g, ' ')}`)
  const row = bare.map((text) => `| call | ${text.replace(/\s+/g, ' ')} |`)
  const talk = fc.oneof(shown, explained, quotation, inline, inSentence, alone, item, row)
  const first = fc.oneof({ weight: 9, arbitrary: talk }, { weight: 1, arbitrary: fc.tuple(fence, sentence).map(lines) })
  return fc
    .tuple(first, fc.array(fc.oneof(talk, sentence), { maxLength: 5 }))
    .map(([one, more]) => paragraphs([one, ...more]))
}

const lines = (parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n')
const paragraphs = (parts: readonly string[]): string => parts.join('\n\n')
const quoted = (text: string, before: string): string => text.replace(/^/gm, before)

type Form = (name: string, args: Record<string, unknown>) => string

/** Calls without a marker, as models write them. */
const forms: Form[] = [
  (name, args) => JSON.stringify({ name, arguments: args }),
  (name, args) => JSON.stringify({ name, parameters: args }, undefined, 2),
  (name, args) => JSON.stringify([{ name, arguments: args }]),
  (name, args) => JSON.stringify({ type: 'function', function: { name, arguments: JSON.stringify(args) } }),
  (name, args) => JSON.stringify({ type: 'tool_call', id: 'c1', name, arguments: JSON.stringify(args) }),
  (name, args) => JSON.stringify({ tool: name, args }),
  (name, args) => `${name}(${keywords(args)})`,
  (name, args) => `[${name}(${keywords(args)})]`,
  (name, args) => `${name} ${JSON.stringify(args)}`,
]

const keywords = (args: Record<string, unknown>): string =>
  Object.entries(args)
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join(', ')

function bareCall([{ name, inputSchema }, form, seed]: [ReaderTool, Form, number]): string {
  const properties = Object.entries((inputSchema.properties ?? {}) as Record<string, { type?: unknown }>)
  const required = (inputSchema.required ?? []) as string[]
  const given = properties.filter(([key], at) => required.includes(key) || (seed >> at) % 2 === 1)
  return form(name, Object.fromEntries(given.map(([key, { type }]) => [key, sample(type, seed)])))
}

function sample(type: unknown, seed: number): unknown {
  if (type === 'integer' || type === 'number') return seed % 9
  if (type === 'boolean') return seed % 2 === 0
  if (type === 'array') return ['A.md']
  if (type === 'object') return {}
  return ['A.md', 'moss', 'some words (in brackets)', ''][seed % 4]
}
