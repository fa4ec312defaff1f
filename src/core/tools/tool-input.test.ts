import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { Failure } from '../errors.js'
import type { Tool } from './tool.js'
import { inputSchema, parseInput } from './tool-input.js'

const toolWith = (input: Tool['input']): Tool => ({
  name: 'it',
  title: 'It',
  description: 'It.',
  activity: 'Doing it',
  category: 'custom',
  effects: [],
  input,
  run: async () => '',
  render: String,
})

const refusal = (tool: Tool, input: unknown): string => {
  try {
    parseInput(tool, input)
  } catch (error) {
    if (error instanceof Failure) return error.message.replace('Tool it validation failed: ', '')
    throw error
  }
  return ''
}

describe('the schema a model sees', () => {
  it('is that of the input side: defaults are optional, transforms take what they transform', () => {
    const tool = toolWith(
      z.object({
        date: z.string().transform((text) => new Date(text)),
        zone: z.string().default('UTC'),
        count: z.int().optional(),
      }),
    )
    expect(inputSchema(tool)).toEqual({
      type: 'object',
      properties: {
        date: { type: 'string' },
        zone: { default: 'UTC', type: 'string' },
        count: { type: 'integer' },
      },
      required: ['date'],
    })
    expect(parseInput(tool, { date: '2024-01-15' })).toEqual({ date: new Date('2024-01-15'), zone: 'UTC' })
  })

  it('keeps a choice between shapes, and is an object in any case', () => {
    const action = z.discriminatedUnion('type', [
      z.object({ type: z.literal('search'), query: z.string() }),
      z.object({ type: z.literal('delete'), id: z.string() }),
    ])
    expect(inputSchema(toolWith(action))).toMatchObject({
      type: 'object',
      oneOf: [{ required: ['type', 'query'] }, {}],
    })
    expect(refusal(toolWith(action), { type: 'search' })).toBe('query: required')
    expect(parseInput(toolWith(action), { type: 'delete', id: 'x' })).toEqual({ type: 'delete', id: 'x' })
  })
})

describe('a tool without parameters', () => {
  for (const [name, schema] of [
    ['an empty object', z.object({})],
    ['nothing', z.void()],
  ] as const) {
    it(`accepts missing, null, {} and '' when declared as ${name}`, () => {
      const tool = toolWith(schema)
      for (const input of [undefined, null, {}, '', '{}', 'null']) expect(() => parseInput(tool, input)).not.toThrow()
      expect(inputSchema(tool)).toEqual({ type: 'object', properties: {} })
    })
  }
})

describe('bad arguments', () => {
  const tool = toolWith(z.object({ path: z.string(), filter: z.object({ tags: z.array(z.string()) }).optional() }))

  it('are named with their place', () => {
    expect(refusal(tool, { path: 'a', filter: { tags: ['x', 1], tag: 'y' } })).toBe(
      'filter.tags.1: expected string, received number, filter.tag: unknown field (available: tags)',
    )
    expect(refusal(tool, [1])).toBe('input: expected object, received array')
    expect(refusal(tool, 7)).toBe('input: expected object, received number')
  })

  it('end in a failure when they are huge, deep, circular or odd', () => {
    const circle: Record<string, unknown> = {}
    circle.self = circle
    expect(refusal(tool, circle)).toBe('input: cannot be written as JSON')
    expect(refusal(tool, `{"path":${'['.repeat(100_000)}`)).toBe('input: nested deeper than 64 levels')
    expect(refusal(tool, { path: 'a'.repeat(16_000_001) })).toMatch(/^input: longer than/)
    expect(refusal(tool, { path: 1n })).toBe('input: cannot be written as JSON')
  })

  it('never pollute a prototype and never crash', () => {
    parseInput(
      toolWith(z.object({ updates: z.record(z.string(), z.unknown()) })),
      '{"updates":{"__proto__":{"polluted":1}}}',
    )
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    fc.assert(
      fc.property(fc.anything(), (input) => {
        try {
          parseInput(tool, input)
        } catch (error) {
          expect(error).toBeInstanceOf(Failure)
        }
      }),
    )
  })
})

describe('a foreign schema', () => {
  const jsonSchema = {
    type: 'object',
    properties: {
      id: { $ref: '#/$defs/id' },
      when: { oneOf: [{ type: 'integer' }, { type: 'string', format: 'date' }] },
    },
    required: ['id'],
    additionalProperties: false,
    $defs: { id: { type: 'string', pattern: '^[a-z]{3}$' } },
  }
  const tool = toolWith({ jsonSchema })

  it('is passed on unchanged', () => {
    expect(inputSchema(tool)).toBe(jsonSchema)
  })

  it('is validated as it is', () => {
    expect(parseInput(tool, { id: 'abc', when: '2024-01-15' })).toEqual({ id: 'abc', when: '2024-01-15' })
    expect(refusal(tool, {})).toMatch(/^input: .*"id"/)
    expect(refusal(tool, { id: 'ABC' })).toMatch(/^id: .*pattern/)
    expect(refusal(tool, { id: 'abc', extra: 1 })).toMatch(/extra/)
    expect(refusal(tool, { id: 'abc', when: true })).toMatch(/^when: /)
  })

  it('cannot hang us with a pattern', () => {
    const hostile = toolWith({ jsonSchema: { type: 'object', properties: { a: { pattern: '^(a+)+$' } } } })
    expect(parseInput(hostile, { a: `${'a'.repeat(50)}!` })).toBeDefined()
  })
})
