import { isDeepStrictEqual } from 'node:util'
import { loadPeer, readWithPeer } from './peer.mjs'

/** Our dialects that the other parser reads too, with its name for them. */
const claimed = { sentinel: 'hermes', hermes: 'hermes', qwen3_coder: 'qwen3_coder' }
const ownFormats = { hermes: 'hermes', qwen3_coder: 'qwen3_coder', morph_xml: 'tool_tag', yaml_xml: 'tool_tag' }

/** Both parsers on the cases of the formats both read, on the other's own examples, and on the clock. */
export async function compareWithPeer(ours, cases, check) {
  console.log('\n## Compared with @ai-sdk-tool/parser\n')
  const peer = await loadPeer()
  if (typeof peer === 'string') return console.log(`       left out: ${peer}`)
  await compareCases(ours, peer, cases, check)
  await compareExamples(ours, peer, check)
  await compareSpeed(ours, peer, check)
}

async function compareCases(ours, peer, cases, check) {
  const shared = cases.filter(({ format }) => format in claimed)
  const lost = { ours: [], 'its calls': [], 'its calls or text': [], 'its calls or text, by characters': [] }
  for (const example of shared) {
    const { tools } = ours.optionsOf(example)
    const wanted = ours.expectationOf(example)
    const own = ours.outcomeOf(ours.readReply([example.text], ours.optionsOf(example)), example)
    if (!isDeepStrictEqual(own, wanted)) lost.ours.push(example.id)
    for (const [name, pieces] of [
      ['its calls or text', [example.text]],
      ['its calls or text, by characters', example.text.length < 5000 ? [...example.text] : [example.text]],
    ]) {
      const reply = await readWithPeer(peer[claimed[example.format]], pieces, tools).catch(() => undefined)
      // It neither separates reasoning nor names errors, so neither is asked of it.
      const calls = reply !== undefined && isDeepStrictEqual(reply.calls, wanted.calls)
      const text = calls && ours.outcomeOf({ ...reply, reasoning: '', errors: [] }, example).text === wanted.text
      if (!calls && name === 'its calls or text') lost['its calls'].push(example.id)
      if (!text) lost[name].push(example.id)
    }
  }
  console.log(`       ${shared.length} cases of ${Object.keys(claimed).join(', ')}`)
  for (const [name, ids] of Object.entries(lost)) {
    console.log(`       ${name}: ${shared.length - ids.length} right${ids.length > 0 ? `; lost ${ids.join(' ')}` : ''}`)
  }
  check('ours reads more of them, even when only its calls count', lost.ours.length < lost['its calls'].length)
}

/** Calls as its documentation shows them, written by its own formatter in each of its formats. */
const text = { type: 'string' }
const documented = [
  { name: 'get_weather', properties: { city: text }, input: { city: 'Seoul' } },
  { name: 'get_weather', properties: { location: text, unit: text }, input: { location: 'New York', unit: 'celsius' } },
  {
    name: 'write_file',
    properties: { file_path: text, contents: text },
    input: { file_path: '/tmp/example.txt', contents: 'First line\nSecond line\nThird line' },
  },
  {
    name: 'book_flight',
    properties: { from: text, to: text, date: text, seat: { type: 'string', enum: ['aisle', 'window', 'middle'] } },
    input: { from: 'ICN', to: 'NRT', date: '2026-03-10', seat: 'window' },
  },
  {
    name: 'submit_bundle',
    properties: {
      id: text,
      count: { type: 'integer' },
      ready: { type: 'boolean' },
      tags: { type: 'array', items: text },
      owner: {
        type: 'object',
        properties: {
          name: text,
          teams: { type: 'array', items: { type: 'object', properties: { id: { type: 'integer' } } } },
        },
      },
    },
    input: {
      id: '2026',
      count: 3,
      ready: true,
      tags: ['a', 'b'],
      owner: { name: 'Kim', teams: [{ id: 1 }, { id: 2 }] },
    },
  },
]

async function compareExamples(ours, peer, check) {
  const right = { ours: 0, its: 0 }
  const lost = { ours: [], its: [] }
  let count = 0
  for (const [format, protocol] of Object.entries(peer)) {
    for (const [index, { name, properties, input }] of documented.entries()) {
      const tools = [{ name, inputSchema: { type: 'object', properties } }]
      const call = protocol.formatToolCall({
        type: 'tool-call',
        toolCallId: '1',
        toolName: name,
        input: JSON.stringify(input),
      })
      const reply = `Let me see. ${call} Done.`
      const expected = { text: 'Let me see.  Done.', calls: [{ name, arguments: input }] }
      const own = ours.readReply([...reply], { tools, format: ownFormats[format] })
      const its = await readWithPeer(protocol, [...reply], tools).catch(() => ({}))
      for (const [who, { text: shown = '', calls }] of [
        ['ours', own],
        ['its', its],
      ]) {
        const isRight = isDeepStrictEqual(calls, expected.calls) && folded(shown) === folded(expected.text)
        if (isRight) right[who]++
        else lost[who].push(`${format}-${index + 1}`)
      }
      count++
    }
  }
  console.log(`       its own documented calls, by characters, with text around: ${count}`)
  for (const who of ['ours', 'its'])
    console.log(`       ${who}: ${right[who]} right${lost[who].length > 0 ? `; lost ${lost[who].join(' ')}` : ''}`)
  check('ours reads at least as many of its own examples', right.ours >= right.its)
}

const folded = (shown) => shown.replace(/\s+/g, ' ').trim()

async function compareSpeed(ours, peer, check) {
  const tools = [{ name: 'write_note', inputSchema: { type: 'object', properties: { path: text, content: text } } }]
  const plain = 'The quick brown fox jumps over the lazy dog, and then some more.\n'.repeat(16_000)
  const call = { name: 'write_note', arguments: { path: 'a', content: 'All work and no play.\n'.repeat(9_000) } }
  for (const [name, reply, size] of [
    ['1 MB of plain text in pieces of 64', plain, 64],
    ['an argument of 200 kB in pieces of 64', `<tool_call>\n${JSON.stringify(call)}\n</tool_call>`, 64],
    ['an argument of 200 kB, whole', `<tool_call>\n${JSON.stringify(call)}\n</tool_call>`, 1e9],
  ]) {
    const pieces = []
    for (let at = 0; at < reply.length; at += size) pieces.push(reply.slice(at, at + size))
    const own = await timed(async () => ours.readReply(pieces, { tools, format: 'hermes' }))
    const its = await timed(() => readWithPeer(peer.hermes, pieces, tools))
    check(`${name}: ${own.toFixed(1)} ms against ${its.toFixed(1)} ms`, own < its)
  }
}

async function timed(run) {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < 3; round++) {
    const start = performance.now()
    await run()
    least = Math.min(least, performance.now() - start)
  }
  return least
}
