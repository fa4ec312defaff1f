import { describe, expect, it } from 'vitest'
import { openReader, type ReaderTool, readReply } from './index.js'

const text = { type: 'string' }
const tools: ReaderTool[] = [
  {
    name: 'search_notes',
    inputSchema: { type: 'object', properties: { query: text, limit: { type: 'integer' } }, required: ['query'] },
  },
  { name: 'read_note', inputSchema: { type: 'object', properties: { path: text }, additionalProperties: false } },
]
const read = (reply: string) => readReply([reply], { tools, wholeReplies: 'also' })
const moss = { name: 'search_notes', arguments: { query: 'moss' } }
const object = '{"name": "search_notes", "parameters": {"query": "moss"}}'
const fenced = (body: string, label = 'json') => `\`\`\`${label}\n${body}\n\`\`\``

describe('a reply that is a call of an offered tool and nothing else is read as one', () => {
  it.each([
    ['an object with parameters', object],
    ['an object with arguments', '{"name": "search_notes", "arguments": {"query": "moss"}}'],
    ['an object over lines', '\n{\n  "name": "search_notes",\n  "arguments": {\n    "query": "moss"\n  }\n}\n'],
    ['arguments first', '{"arguments": {"query": "moss"}, "name": "search_notes"}'],
    [
      'the JSON line with arguments as a string',
      '{"type":"tool_call","id":"call_1","name":"search_notes","arguments":"{\\"query\\":\\"moss\\"}"}',
    ],
    [
      'the nested object of the API',
      '{"type":"function","function":{"name":"search_notes","arguments":{"query":"moss"}}}',
    ],
    [
      'the list of the API',
      '{"tool_calls":[{"function":{"name":"search_notes","arguments":"{\\"query\\":\\"moss\\"}"}}]}',
    ],
    ['tool and args', '{"tool": "search_notes", "args": {"query": "moss"}}'],
    ['action and action_input', '{"action": "search_notes", "action_input": {"query": "moss"}}'],
    ['a list', `[${object}]`],
    ['a Python list', '[search_notes(query="moss")]'],
    ['a Python call', 'search_notes(query="moss")'],
    ['the name and an object', 'search_notes\n{"query": "moss"}'],
    ['a json fence', fenced(object)],
    ['a fence without a label', fenced(object, '')],
    ['a fence labelled tool_call', fenced(object, 'tool_call')],
    ['a fence labelled with the tool', fenced('{"query": "moss"}', 'search_notes')],
    ['an xml fence with a marked call', fenced(`<tool_call>${object}</tool_call>`, 'xml')],
    ['a fence with use_tool', fenced('<use_tool><name>search_notes</name><query>moss</query></use_tool>', 'xml')],
    ['a fence of Python', fenced('search_notes(query="moss")', 'tool_code')],
    ['a printed call', fenced('print(search_notes(query="moss"))', 'tool_code')],
    ['a fence that was not closed', `\`\`\`json\n${object}`],
    ['a fence of tildes', `~~~\n${object}\n~~~`],
  ])('%s', (_, reply) => {
    expect(read(reply)).toEqual({ text: expect.stringMatching(/^\s*$/), reasoning: '', calls: [moss], errors: [] })
  })

  it.each([
    ["I'll search your notes.\n", object],
    ['Let me look that up:\n\n', fenced(object)],
    ['Ich suche danach: ', object],
    ['好的，我来搜索：\n', '[search_notes(query="moss")]'],
  ])('behind a short lead-in: %s', (lead, call) => {
    expect(read(lead + call)).toMatchObject({ text: lead, calls: [moss], errors: [] })
  })

  it('after reasoning', () => {
    expect(read(`<think>I should look.</think>\n\n${object}`)).toMatchObject({
      reasoning: 'I should look.',
      calls: [moss],
    })
    expect(read('<think>Hm.</think>search_notes(query="moss")')).toMatchObject({ calls: [moss] })
  })

  it('several of them', () => {
    const b = '{"name": "read_note", "arguments": {"path": "B.md"}}'
    const both = [moss, { name: 'read_note', arguments: { path: 'B.md' } }]
    for (const reply of [
      `${object}\n${b}`,
      `${object}; ${b}`,
      `[${object}, ${b}]`,
      `${fenced(object)}\n\n${fenced(b)}`,
    ]) {
      expect(read(reply)).toMatchObject({ calls: both, errors: [] })
    }
  })
})

describe('text about a call stays text', () => {
  it.each([
    ['a lead-in that says so', `For example:\n${fenced(object)}`],
    ['how it would look', `The call would look like this:\n${object}`],
    ['an explanation behind it', `I use this:\n${fenced(object)}\nIt finds notes about moss.`],
    ['a long answer before it', `${'Moss grows in the shade. '.repeat(12)}\n${object}`],
    ['a quotation', `> ${object}`],
    ['inline code', `\`${object}\``],
    ['a list item', `- ${object}`],
    ['the middle of a line', `The model wrote ${object}`],
    ['another object', '{"name": "Rose", "parameters": {"colour": "red"}}'],
    ['an object with more in it', '{"name": "search_notes", "arguments": {"query": "x"}, "description": "Searches."}'],
    ['a name alone', 'search_notes'],
    ['a sentence about a tool', 'search_notes finds notes by their words.'],
    ['a wikilink', '[[search_notes]]'],
    ['a link', '[search_notes](search.md)'],
    ['a task', '[x] search_notes(query="moss")'],
    ['JSON', fenced('{"id": 1, "type": "note"}')],
    ['Python that is no tool', fenced('total(x=1)', 'python')],
    ['a program', fenced('import os\nsearch_notes(query="moss")', 'python')],
  ])('%s', (_, reply) => {
    expect(read(reply)).toEqual({ text: reply, reasoning: '', calls: [], errors: [] })
  })
})

describe('an intended call that cannot run is reported to the model and not shown', () => {
  it.each([
    ['a missing argument', '{"name": "search_notes", "arguments": {}}', 'query is missing'],
    ['a wrong type', '{"name": "search_notes", "arguments": {"query": "x", "limit": "many"}}', 'limit must be integer'],
    [
      'an argument it does not have',
      '{"name": "read_note", "arguments": {"file": "x"}}',
      'unknown argument file; available: path',
    ],
    ['a cut', '{"name": "search_notes", "arguments": {"query": "mo', 'ends inside a string'],
    ['unescaped quotes', '{"name": "search_notes", "arguments": {"query": "say "hi" ok"}}', 'was found where'],
    ['positional arguments', '[search_notes("moss")]', 'name=value'],
    ['words behind it', `${object}\n\nNow I wait for the result.`, 'text follows the call'],
  ])('%s', (_, reply, why) => {
    const { text: shown, calls, errors } = read(reply)
    expect([shown.trim(), calls, errors.length]).toEqual(['', [], 1])
    expect(errors[0].kind).toBe('malformed')
    expect(errors[0].message).toContain(why)
  })

  it('a call of an unknown tool', () => {
    const reply = read('{"name": "find_notes", "arguments": {"query": "moss"}}')
    expect(reply).toMatchObject({ text: '', calls: [], errors: [{ kind: 'unknown-tool', name: 'find_notes' }] })
  })
})

it('other text is shown at once, also where it begins like a call', () => {
  for (const [piece, shown] of [
    ['{"title": "x"', '{"title": "x"'],
    ['{"name": "Ada Lovelace", ', '{"name": "Ada Lovelace", '],
    ['[[Note]] says', '[[Note]] says'],
    ['Hello there, ', 'Hello there, '],
    ['```python\nx = 1\n', '```python\nx = 1\n'],
  ]) {
    const events = openReader({ tools, wholeReplies: 'also' }).push(piece)
    expect(events).toEqual([{ type: 'text', text: shown }])
  }
})

it('with `only`, everything else passes unchanged: markers, reasoning, frames', () => {
  const options = { tools, wholeReplies: 'only' as const }
  const prose = `<think>x</think> Say <tool_call>${object}</tool_call> to call it.`
  expect(readReply([prose], options)).toMatchObject({ text: prose, calls: [] })
  for (const reply of [
    object,
    fenced(object),
    `<tool_call>${object}</tool_call>`,
    `I will look.\n<tool_call>${object}</tool_call>`,
    '<start_function_call>call:search_notes{query:<escape>moss<escape>}<end_function_call>',
    'I will look.\n]<]minimax[>[<tool_call>]<]minimax[>[<invoke name="search_notes">]<]minimax[>[<query>moss]<]minimax[>[</query>]<]minimax[>[</invoke>]<]minimax[>[</tool_call>',
    '<|open|>tools<|sep|><|open|>call tool="search_notes" index="1"<|sep|><|open|>argument key="query" type="string"<|sep|>moss<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>',
    `<|function_call|>${object}`,
  ]) {
    expect(readReply([reply], options).calls).toEqual([moss])
  }
})
