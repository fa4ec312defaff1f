import { describe, expect, it } from 'vitest'
import { dialectName, openReader, type ReaderOptions, type ReaderTool, readReply } from './index.js'

const tool = (name: string, properties: Record<string, unknown>): ReaderTool => ({
  name,
  inputSchema: { type: 'object', properties },
})
const text = { type: 'string' }
const tools = [
  tool('read_note', { path: text, chunk: { type: 'integer' } }),
  tool('write_note', { path: text, content: text }),
  tool('get_file_tree', {}),
  tool('tag_notes', { paths: { type: 'array', items: text }, tag: text }),
  tool('set_fields', { fields: { type: 'object' }, level: { anyOf: [{ type: 'number' }, { type: 'null' }] } }),
]
const a = '{"name":"read_note","arguments":{"path":"A.md"}}'
const b = '{"name":"read_note","arguments":{"path":"B.md"}}'
const read = (reply: string, options: Partial<ReaderOptions> = {}) => readReply([reply], { tools, ...options })
const calledPaths = (reply: string, options: Partial<ReaderOptions> = {}) =>
  read(reply, options).calls.map((call) => call.arguments.path)

describe('certain events are reported at once', () => {
  const events = (...pieces: string[]) => {
    const reader = openReader({ tools })
    return [...pieces.map((piece) => reader.push(piece)), reader.end()]
  }

  it('shows text up to the first character that may open a call', () => {
    expect(events('Hello <tool', '_call', ' tag')).toEqual([
      [{ type: 'text', text: 'Hello ' }],
      [],
      [],
      [{ type: 'text', text: '<tool_call tag' }],
    ])
  })

  it('calls a tool at the closing tag', () => {
    const [first, second] = events(`<tool_call>{"name":"read_note","arguments":{"pa`, `th":"A.md"}}</tool_call>`)
    expect(first).toEqual([])
    const text = '{"path":"A.md"}'
    expect(second).toEqual([{ type: 'call', name: 'read_note', arguments: { path: 'A.md' }, text }])
  })

  it('streams reasoning as reasoning', () => {
    expect(events('<think>Hm', '. </th', 'ink>Yes')).toEqual([
      [{ type: 'reasoning-start' }, { type: 'reasoning', text: 'Hm' }],
      [{ type: 'reasoning', text: '. ' }],
      [{ type: 'reasoning-end' }, { type: 'text', text: 'Yes' }],
      [],
    ])
  })

  it('keeps a surrogate pair together', () => {
    expect(events('a\ud83c', '\udf38')).toEqual([[{ type: 'text', text: 'a' }], [{ type: 'text', text: '🌸' }], []])
  })

  it('shows text after a lone backtick, and waits only for a marker after it', () => {
    const [first, second, , last] = events('Press the ` key. ', `<tool_call>${a}`, '</tool_call>')
    expect(first).toEqual([{ type: 'text', text: 'Press the ` key. ' }])
    expect(second).toEqual([])
    expect(last).toMatchObject([{ type: 'call' }])
  })

  it('reports when text turns out to be reasoning', () => {
    expect(events('Thinking…</think>Answer')[0]).toEqual([
      { type: 'text', text: 'Thinking…' },
      { type: 'text-was-reasoning' },
      { type: 'text', text: 'Answer' },
    ])
  })
})

it('keeps all text after a call', () => {
  const reply = `Before <tool_call>${a}</tool_call> short <tool_call>${b}</tool_call> and then a long made-up answer`
  expect(read(reply).text).toBe('Before  short  and then a long made-up answer')
})

describe('an unambiguous slip is repaired', () => {
  it.each([
    ['case and attributes of the tag', `<Tool_Call>${a}</Tool_Call><tool_call id="1">${b}</tool_call>`],
    ['a fence inside the block', `<tool_call>\n\`\`\`json\n${a}\n\`\`\`\n</tool_call><tool_call>${b}</tool_call>`],
    ['a doubled opener and closer', `<tool_call><tool_call>${a}</tool_call></tool_call><tool_call>${b}</tool_call>`],
    ['a closer forgotten before the next opener', `<tool_call>${a}\n<tool_call>${b}</tool_call>`],
    ['several objects in one block', `<tool_call>${a}\n${b}</tool_call>`],
    ['an array in one block', `<tool_call>[${a}, ${b}]</tool_call>`],
    ['braces forgotten right before the closer', `<tool_call>${a.slice(0, -2)}</tool_call><tool_call>${b}</tool_call>`],
    ['a half closer at the end', `<tool_call>${a}</tool_call><tool_call>${b}</tool_c`],
    ['a missing outer brace at the end', `<tool_call>${a}</tool_call><tool_call>${b.slice(0, -1)}`],
    ['a list behind functools over lines', `functools[\n  ${a},\n  ${b}\n]`],
    ['names in quotes', `<function="read_note"><parameter="path">A.md</parameter></function><tool_call>${b}`],
  ])('%s', (_, reply) => {
    expect(calledPaths(reply)).toEqual(['A.md', 'B.md'])
    expect(read(reply)).toMatchObject({ errors: [] })
  })
})

describe('an ambiguous call is an error and never runs', () => {
  const note = (content: string) => `<tool_call>{"name":"write_note","arguments":{"content":${content}}}</tool_call> z`
  it.each([
    ['an apostrophe in single quotes', note("'it's'")],
    ['unescaped inner quotes', note('"say "hi" ok"')],
    ['an unescaped quote before a quoted call', note(`"say "hi <tool_call>{}</tool_call> ok"`)],
    ['a missing comma', note('"a" "path": "b"')],
    ['an unknown escape', note('"\\q"')],
    ['arguments that are no object', `<tool_call>{"name":"read_note","arguments":[1]}</tool_call> z`],
    ['arguments parsed once that are a string', `<tool_call>{"name":"read_note","arguments":"\\"{}\\""}</tool_call> z`],
    ['no name', '<tool_call>{"arguments":{}}</tool_call> z'],
    ['words behind the object', `<tool_call>${a} as asked</tool_call> z`],
    ['args and elements', '<use_tool><name>read_note</name><args>{}</args><path>x</path></use_tool> z'],
    ['positional arguments', '<|python_start|>[read_note("A.md")]<|python_end|> z'],
  ])('%s', (_, reply) => {
    expect(read(reply)).toMatchObject({ text: ' z', calls: [], errors: [{ kind: 'malformed' }] })
  })

  it.each([
    ['in the middle of a sibling value', `${`<tool_call>${a}`.slice(0, -1)},"id":"c`],
    ['before the arguments', '<tool_call>{"name":"read_note"'],
    ['in an opening tag', '<use_tool><name>read_note</name><path>A.md</path><chu'],
    ['in a keyword argument', '<|python_start|>[read_note(path="A.md"'],
  ])('a reply cut %s', (_, reply) => {
    expect(read(reply)).toMatchObject({ text: '', calls: [], errors: [{ kind: 'malformed', name: 'read_note' }] })
  })

  it('runs the complete elements of a truncated array and reports the other', () => {
    const reply = read(
      `<|START_ACTION|>[${a.replace('name', 'tool_name')}, {"tool_name":"write_note","parameters":{"pa`,
    )
    expect(reply.calls).toHaveLength(1)
    expect(reply.errors).toMatchObject([{ kind: 'malformed', name: 'write_note' }])
  })

  it('runs the calls next to an unreadable one', () => {
    expect(calledPaths(`<tool_call>[${a}, {"name": oops}, ${b}]</tool_call>`)).toEqual(['A.md', 'B.md'])
    expect(calledPaths(`<tool_call>{"name": bad <tool_call>${b}</tool_call>`)).toEqual(['B.md'])
    expect(calledPaths('[read_note("A"), read_note(path="B.md")]', { format: 'pythonic' })).toEqual(['B.md'])
  })

  it('stops at a limit, also inside a string that hides a call', () => {
    const long = `<tool_call>{"name":"write_note","arguments":{"content":"${'x'.repeat(500)}</tool_call><tool_call>{}"}}</tool_call> z`
    const reply = read(long, { limit: 200 })
    expect(reply).toMatchObject({ text: ' z', calls: [], errors: [{ kind: 'malformed', name: 'write_note' }] })
    expect(reply.errors[0].message).toContain('longer than 200 characters')
  })
})

describe('code', () => {
  it.each([
    ['a fence in a quote', `> \`\`\`\n> <tool_call>${a}</tool_call>\n> \`\`\`\n`],
    ['a fence in a list, with a blank line', `- \`\`\`\n  <tool_call>${a}</tool_call>\n\n  \`\`\`\n`],
    ['a span of two backticks with one inside', `\`\`<tool_call>${a}</tool_call> \` x\`\` y `],
    ['three backticks that open and close on one line', `\`\`\`<tool_call>${a}</tool_call>\`\`\` is it. `],
    ['a lone backtick in another paragraph', 'Press ` now.\n\nThen `x` '],
    ['a fence that a longer one contains', `\`\`\`\`\n\`\`\`\n<tool_call>${a}</tool_call>\n\`\`\`\n\`\`\`\`\n`],
  ])('%s hides calls, and what follows counts', (_, before) => {
    expect(read(`${before}<tool_call>${b}</tool_call>`)).toMatchObject({
      text: before,
      calls: [{ arguments: { path: 'B.md' } }],
    })
  })

  it('is no call in a quotation, and what follows counts', () => {
    const quoted = `> <tool_call>${a}</tool_call>\n\n`
    expect(read(`${quoted}<tool_call>${b}</tool_call>`)).toMatchObject({
      text: quoted,
      calls: [{ arguments: { path: 'B.md' } }],
    })
  })

  it('may quote a closing think tag inside reasoning', () => {
    expect(read('<think>use `</think>` to close</think>answer')).toMatchObject({
      text: 'answer',
      reasoning: 'use `</think>` to close',
    })
  })

  it('left open inside reasoning does not swallow the answer', () => {
    expect(read('<think>\n```\ncode\n</think>answer\n```py\nx\n```\n').text).toBe('answer\n```py\nx\n```\n')
    expect(read('<think>use ` char</think>answer `x`').text).toBe('answer `x`')
  })
})

describe('raw values', () => {
  const inner = '<use_tool><name>x</name><content>in</content></use_tool>'

  it('may hold whole calls of the same dialect', () => {
    const reply = read(`<use_tool><name>write_note</name><content>Do ${inner} more</content></use_tool> t`)
    expect(reply).toMatchObject({ text: ' t', calls: [{ arguments: { content: `Do ${inner} more` } }] })
  })

  it('are typed by the schema, and what does not fit stays text', () => {
    const element = (name: string, value: string) => `<${name}>${value}</${name}>`
    const args = (toolName: string, ...elements: string[]) =>
      read(`<use_tool>${element('name', toolName)}${elements.join('')}</use_tool>`).calls[0].arguments
    expect(args('read_note', element('path', '7'), element('chunk', ' 5.0 '))).toEqual({ path: '7', chunk: 5 })
    expect(args('read_note', element('path', 'null'), element('chunk', 'soon'))).toEqual({
      path: 'null',
      chunk: 'soon',
    })
    expect(args('set_fields', element('level', 'null'))).toEqual({ level: null })
    expect(args('set_fields', element('level', '-.5'))).toEqual({ level: -0.5 })
    expect(read('<tool_call>{"name":"set_fields","arguments":{"level": .5}}</tool_call>').calls[0].arguments).toEqual({
      level: 0.5,
    })
    expect(args('set_fields', element('level', '1.5'), element('fields', "{'a': True}"))).toEqual({
      level: 1.5,
      fields: { a: true },
    })
    expect(args('tag_notes', element('paths', '<item>a &amp; b</item><item>c</item>'))).toEqual({
      paths: ['a & b', 'c'],
    })
    expect(args('set_fields', element('fields', '<a>1</a><b><item>x</item></b>'))).toEqual({
      fields: { a: '1', b: ['x'] },
    })
    expect(args('get_file_tree', element('other', '[1]'))).toEqual({ other: '[1]' })
  })
})

describe('names', () => {
  it('keep the alias a call was made with, so that its adapter is found', () => {
    const aliased = [{ ...tools[0], aliases: ['readFile'] }]
    expect(read('<tool_call>{"name":"readFile","arguments":{}}</tool_call>', { tools: aliased }).calls).toEqual([
      { name: 'readFile', arguments: {} },
    ])
  })

  it('that differ in case from two tools are unknown', () => {
    const twins = [tool('Read', {}), tool('READ', {})]
    expect(read('<tool_call>{"name":"read"}</tool_call>', { tools: twins }).errors).toMatchObject([
      { kind: 'unknown-tool', name: 'read' },
    ])
  })

  it('of dialects are read as people write them', () => {
    expect(dialectName('Use-Tool')).toBe('use_tool')
    expect(() => dialectName('nope')).toThrow(/Unknown dialect/)
  })
})

it('keeps keys such as __proto__ as plain data', () => {
  const [call] = read(
    '<tool_call>{"name":"read_note","arguments":{"__proto__":{"x":1},"constructor":2}}</tool_call>',
  ).calls
  expect(Object.keys(call.arguments)).toEqual(['__proto__', 'constructor'])
  expect(({} as { x?: number }).x).toBeUndefined()
})

describe('bare forms, when their dialect is chosen', () => {
  it('call a declared tool on the last line, and nowhere else', () => {
    expect(calledPaths(`Sure:\n${a}\n`, { format: 'llama3_json' })).toEqual(['A.md'])
    expect(read(`Sure:\n${a}\nmore`, { format: 'llama3_json' }).calls).toEqual([])
    expect(calledPaths(`${a}; ${b}`, { format: 'llama3_json' })).toEqual(['A.md', 'B.md'])
    expect(read(a).calls).toEqual([])
  })

  it('stand alone on any line in our own line form', () => {
    expect(read(`Intro\n${a}\nOutro`, { format: 'sentinel_line' })).toMatchObject({
      text: 'Intro\n\nOutro',
      calls: [{}],
    })
  })

  it('name the tool by the tag, with elements or YAML inside', () => {
    const reply =
      '<read_note><path>A.md</path></read_note> <read_note>\n  path: B.md\n  chunk: 2\n</read_note><get_file_tree/>'
    expect(read(reply, { format: 'tool_tag' }).calls).toEqual([
      { name: 'read_note', arguments: { path: 'A.md' } },
      { name: 'read_note', arguments: { path: 'B.md', chunk: 2 } },
      { name: 'get_file_tree', arguments: {} },
    ])
    expect(read('<<read_note><path>A.md</path></read_note>', { format: 'tool_tag' })).toMatchObject({
      text: '<',
      calls: [{ arguments: { path: 'A.md' } }],
    })
    expect(read('The <read_note> tag is prose.', { format: 'tool_tag' })).toMatchObject({ calls: [], errors: [] })
  })

  it.each([
    ['lists', '['.repeat(20_000), 'nested more than 100 deep'],
    ['closed lists', `${'['.repeat(20_000)}${']'.repeat(20_000)}`, 'nested more than 100 deep'],
    ['lists with brackets in quotes', '["]", '.repeat(20_000), 'nested more than 100 deep'],
    ['marks of a list', `\n  ${'- '.repeat(20_000)}x`, 'nested more than 100 deep'],
    ['empty lists', '[]'.repeat(60_000), 'more than 50000 signs'],
    ['anchors', '&a '.repeat(60_000), 'more than 50000 signs'],
  ])('refuse a flood of YAML %s before it is composed', (_, flood, why) => {
    const reply = read(`<read_note>\npath: ${flood}\n</read_note> z`, { format: 'tool_tag' })
    expect(reply).toMatchObject({ text: ' z', calls: [], errors: [{ kind: 'malformed', name: 'read_note' }] })
    expect(reply.errors[0].message).toContain(why)
  })

  it('keep a long text in YAML, whatever is in it', () => {
    const lines = Array.from({ length: 5000 }, (_, at) => `  ${'['.repeat(200)} - - ${at}`)
    const reply = read(`<write_note>\npath: A.md\ncontent: |\n${lines.join('\n')}\n</write_note>`, {
      format: 'tool_tag',
    })
    expect(reply.errors).toEqual([])
    expect(reply.calls[0].arguments.content).toHaveLength(lines.join('\n').length - 2 * lines.length + 1)
  })
})
