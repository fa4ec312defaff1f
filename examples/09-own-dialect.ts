// A model that has never heard of tools, taught a form of call that nobody else uses: a line `!tool {"json": …}`.
// A dialect says how to teach it, how to write an earlier call, and how to read a reply; the agent sees native calls.
import {
  defaultProfile,
  openVault,
  type Reader,
  type ReaderEvent,
  type ReaderOptions,
  type TextDialect,
  withDialect,
} from 'notewright'
import { modelFrom } from './model-from.js'

const shout: TextDialect = {
  name: 'shout',
  teach: ({ tools }) =>
    [
      'To use a tool, write a line that begins with ! and its name, then its arguments as JSON. Then stop.',
      ...tools.map(({ name, description, inputSchema }) => `!${name} ${description} ${JSON.stringify(inputSchema)}`),
    ].join('\n'),
  write: ({ name, arguments: input }) => `!${name} ${JSON.stringify(input)}`,
  open: readLines,
}

/** Reads whole lines: a line is either a call or text. */
function readLines({ tools }: ReaderOptions): Reader {
  const names = new Set(tools.map(({ name }) => name))
  let rest = ''

  function read(line: string): ReaderEvent[] {
    const [, name, json] = /^!(\w+) (\{.*\})\s*$/.exec(line) ?? []
    if (name === undefined || !names.has(name)) return [{ type: 'text', text: line }]
    try {
      return [{ type: 'call', name, arguments: JSON.parse(json), text: json }]
    } catch {
      return [{ type: 'error', kind: 'malformed', name, message: `The arguments of ${name} are not valid JSON.` }]
    }
  }

  return {
    push(text) {
      rest += text
      const lines = rest.split(/(?<=\n)/)
      rest = lines.at(-1)?.endsWith('\n') ? '' : (lines.pop() ?? '')
      return lines.flatMap(read)
    },
    end() {
      const last = rest
      rest = ''
      return last === '' ? [] : read(last)
    },
  }
}

const textOnly = modelFrom(({ prompt }) => {
  const said = JSON.stringify(prompt)
  return said.includes('Oxheart')
    ? { say: 'Three kinds: Black Prince, Little Lantern and Oxheart. [[Garden/Tomatoes]]' }
    : { say: 'Let me look.\n!read_note {"path": "Garden/Tomatoes.md"}' }
})

const vault = await openVault('Notes')
const model = withDialect(textOnly, { dialect: shout, profile: defaultProfile })
const pending = vault.ask('which tomatoes do we grow?', { model })
for await (const event of pending) {
  if (event.type === 'tool-call') console.log(`called ${event.call.name} ${JSON.stringify(event.call.input)}`)
}
console.log((await pending).text)
await vault.close()
