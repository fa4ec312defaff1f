import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from '../data.mjs'

const tools = [
  {
    name: 'write_note',
    inputSchema: { type: 'object', properties: { path: { type: 'string' }, content: { type: 'string' } } },
  },
]

/** Gives a new reader the text in pieces. */
export function feed(openReader, text, size) {
  const reader = openReader({ tools })
  for (let at = 0; at < text.length; at += size) reader.push(text.slice(at, at + size))
  reader.end()
}

export const openEmpty = (openReader) => openReader({ tools })

const line = 'All work and no play makes \\"Jack\\" a dull boy.\\n'
const json = (length) =>
  `<tool_call>{"name":"write_note","arguments":{"path":"a","content":"${line.repeat(length / line.length)}"}}</tool_call>`

/** Replies that call a tool with one argument of about this length, or many times with little ones. */
export const replies = {
  json,
  jsonInString(length) {
    const args = `{"path":"a","content":"${line.repeat(length / line.length)}"}`
    return `<tool_call>{"name":"write_note","arguments":${JSON.stringify(args)}}</tool_call>`
  },
  xml: (length) =>
    `<use_tool><name>write_note</name><content>${'a < b and <b>x</b> </content> y\n'.repeat(length / 32)}</content></use_tool>`,
  afterLoneBacktick: (length) => `Press the \` key. ${json(length)}`,
  smallCalls: (count) =>
    '<tool_call>{"name":"write_note","arguments":{"path":"a","content":"hello","n":[1,2,3]}}</tool_call> text '.repeat(
      count,
    ),
}

/** This repository's own notes, as often as it takes. */
export function markdown(length) {
  const folders = ['docs', 'examples/vault'].map((folder) => join(repository, folder))
  const files = folders.flatMap((folder) => readdirSync(folder, { recursive: true }).map((file) => join(folder, file)))
  const text = files
    .filter((file) => file.endsWith('.md'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n\n')
  // Flat, as text from a network is.
  return Buffer.from(text.repeat(Math.ceil(length / text.length))).toString()
}
