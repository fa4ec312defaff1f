import { describe, expect, it } from 'vitest'
import { heard, profileWith, readA, request, says, sentinel, wrap } from '../../../../test/dialects/dialect-models.js'
import type { LanguageModelV3CallOptions } from '../../model/index.js'
import type { ReaderEvent } from '../reader-event.js'
import type { TextDialect } from './text-dialect.js'

describe('a name nobody can be taught', () => {
  it('is refused with the names there are', () => {
    expect(() => wrap(says('hi'), { dialect: 'klingon' })).toThrow('klingon')
  })
})

describe('a dialect of one’s own', () => {
  /** A line that begins with an exclamation mark is a call: `!read_note {"path": "A.md"}`. */
  const shout: TextDialect = {
    name: 'shout',
    teach: ({ tools: offered }) => `Available tools: ${offered.map(({ name }) => name)}. Write !NAME {…} on a line.`,
    write: ({ name, arguments: args }) => `!${name} ${JSON.stringify(args)}`,
    open() {
      let text = ''
      return {
        push(piece) {
          text += piece
          return []
        },
        end: () =>
          text.split('\n').map((line): ReaderEvent => {
            const [, name, args] = /^!(\w+) (.*)$/.exec(line) ?? []
            return name ? { type: 'call', name, arguments: JSON.parse(args) } : { type: 'text', text: line }
          }),
      }
    },
  }

  it('is taught, written and read like the others', async () => {
    const model = says('Looking.\n!read_note {"path":"A.md"}')
    const { content, reason } = await heard(wrap(model, { dialect: shout }))
    expect(content).toEqual([{ text: 'Looking.' }, { call: 'read_note', input: { path: 'A.md' } }])
    expect(reason).toBe('tool-calls')
    expect(model.prompts[0].prompt[0].content).toContain('Write !NAME')
  })
})

describe('an answer in JSON', () => {
  const responseFormat = { type: 'json' as const, schema: { type: 'object' as const } }

  it('is asked for in words where calls are text too, so that no server suppresses them', async () => {
    const model = says('{}')
    await heard(wrap(model), request({ responseFormat }))
    await heard(wrap(model), request({ responseFormat, tools: undefined }))
    expect(model.prompts[0].prompt[0].content).toContain('fits this JSON Schema: {"type":"object"}')
    expect(model.prompts.map((asked) => asked.responseFormat)).toEqual([undefined, responseFormat])
  })
})

describe('the choice of tools', () => {
  const both = `One. ${readA} Two. ${sentinel('delete_note', { path: 'B.md' })}`

  it.each<[string, LanguageModelV3CallOptions['toolChoice']]>([
    ['must call at least one tool', { type: 'required' }],
    ['must call the tool read_note and no other', { type: 'tool', toolName: 'read_note' }],
  ])('is said: %s', async (words, toolChoice) => {
    const model = says(both)
    const { content } = await heard(wrap(model), request({ toolChoice }))
    expect(model.prompts[0].prompt[0].content).toContain(words)
    // Whether the model kept to it is for the door to see.
    expect(content.flatMap((part) => ('call' in part ? [part.call] : []))).toEqual(['read_note', 'delete_note'])
  })

  it('is said at the very end when nothing may be called, so that the beginning stays as it was', async () => {
    const model = says('Well.')
    await heard(wrap(model), request())
    await heard(wrap(model), request({ toolChoice: { type: 'none' } }))
    const [open, closed] = model.prompts.map(({ prompt }) => prompt)
    expect(closed.slice(0, -1)).toEqual(open.slice(0, -1))
    const [before, after] = [open, closed].map((prompt) => (prompt.at(-1)!.content[0] as { text: string }).text)
    expect(after).toBe(`${before}\n\nDo not call any tool in this reply. Answer in plain text.`)
  })

  it.each([
    ['the profile', { profile: profileWith({ parallelCalls: false }) }, {}],
    ['an option', { parallelCalls: false }, {}],
    ['the request', {}, { providerOptions: { openai: { parallelToolCalls: false } } }],
  ])('one at a time, when %s says so', async (_who, options, more) => {
    const model = says(both)
    const { content } = await heard(wrap(model, options), request(more))
    expect(content).toEqual([{ text: 'One.' }, { call: 'read_note', input: { path: 'A.md' } }, { text: '  Two.' }])
    expect(model.prompts[0].prompt[0].content).toContain('at most one call')
  })
})
