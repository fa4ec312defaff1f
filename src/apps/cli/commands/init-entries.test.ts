import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withJsonEntry, withoutJsonEntry, withoutTomlEntry, withTomlEntry } from './init-entries.js'

const place = ['mcpServers', 'notewright']
const entry = { command: '/usr/bin/node', args: ['/opt/notewright.js', 'mcp', '--vault', '/home/me/My Notes'] }

const jsons = [
  '',
  '{}',
  '{ "theme": "dark" }\n',
  '{\n\t// mine\n\t"mcpServers": {\n\t\t"other": { "command": "x" }, // keep\n\t},\n}\n',
  '{\r\n  "mcpServers": {},\r\n  "a": [1, 2,   3]\r\n}\r\n',
  '/* top */ {"mcpServers":{"notewright":{"command":"old","args":[],"env":{"A":"1"}}},"z":1.0}',
]

/** True if every character of one text occurs in the other, in order. */
function isWithin(one: string, other: string): boolean {
  let at = 0
  for (const character of other) if (character === one[at]) at++
  return at === one.length
}

describe('an entry in JSON', () => {
  it.each(jsons)('is put into %j beside everything else, once, and taken out again', (text) => {
    const added = withJsonEntry(text, place, entry)
    expect(withJsonEntry(added, place, entry)).toBe(added)
    expect(added).toContain('"/usr/bin/node"')
    // None of the old text is lost, except for the values of an existing entry.
    if (!text.includes('notewright')) expect(isWithin(text.trim() === '' ? '{}' : text, added)).toBe(true)
    expect(withoutJsonEntry(added, place)).not.toContain('notewright')
  })

  it('leaves no trace when it is taken out', () => {
    expect(withoutJsonEntry(withJsonEntry(jsons[3], place, entry), place)).toBe(jsons[3])
    const { theme, mcpServers } = JSON.parse(withoutJsonEntry(withJsonEntry(jsons[2], place, entry), place))
    expect({ theme, mcpServers }).toEqual({ theme: 'dark', mcpServers: {} })
  })

  it("keeps the user's additions", () => {
    const added = withJsonEntry(jsons[5], place, entry)
    expect(added).toContain('"env":{"A":"1"}')
    expect(added).toContain('/* top */')
    expect(added).toContain('"z":1.0')
  })

  it.each(['{"a": }', '[]', '{"mcpServers": 7}', '"text"'])('leaves a file alone that reads %s', (text) => {
    expect(() => withJsonEntry(text, place, entry)).toThrow()
  })
})

const tomlPlace = ['mcp_servers', 'notewright']
const tomls = [
  '',
  'model = "x"',
  '# mine\nmodel = "x" # [not.a.table]\n\n[mcp_servers.other]\ncommand = "y"\nargs = [\n  "[mcp_servers.notewright]",\n]\n',
  '[mcp_servers.notewright]\ncommand = "old"\nargs = [\n  "a",\n  "b",\n]\ndefault_tools_approval_mode = "prompt"\n\n[mcp_servers.notewright.env]\nA = "1"\n\n# of the next\n[tail]\nx = 1\n',
  'text = """\n[mcp_servers.notewright]\n"""\r\nother = \'\'\'\n[x]\n\'\'\'\r\n',
  '[[profiles]]\nname = "a"\n[[profiles]]\nname = "b"\n',
]

describe('an entry in TOML', () => {
  it.each(tomls)('is put into %j once, and all other lines stay', (text) => {
    const added = withTomlEntry(text, tomlPlace, entry)
    expect(withTomlEntry(added, tomlPlace, entry)).toBe(added)
    expect(added).toContain('command = "/usr/bin/node"')
    const isOld = (line: string) => ['command = "old"', '  "a",', '  "b",', 'args = [', ']'].includes(line)
    const lines = added.split('\n')
    for (const line of text.split('\n')) if (!isOld(line)) expect(lines).toContain(line)
  })

  it.each(tomls.filter((text) => text.endsWith('\n') && !text.startsWith('[mcp_servers')))(
    'is taken out of %j again without a trace',
    (text) => expect(withoutTomlEntry(withTomlEntry(text, tomlPlace, entry), tomlPlace)).toBe(text),
  )

  it('is taken out with the tables below it, and the next keeps its comment', () => {
    expect(withoutTomlEntry(tomls[3], tomlPlace).trim()).toBe('# of the next\n[tail]\nx = 1')
  })

  it.each(['mcp_servers = { other = { command = "x" } }\n', '[mcp_servers]\nnotewright = { command = "x" }\n'])(
    'is left to the person in %j',
    (text) => expect(() => withTomlEntry(text, tomlPlace, entry)).toThrow('inline'),
  )

  it('never loses a line, whatever the file', () => {
    const line = fc.constantFrom(
      'a = 1',
      '[t]',
      '[[l]]',
      '# c',
      '',
      'x = [',
      '"[q]",',
      ']',
      's = """',
      '"""',
      "k = '[z]'",
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (some) => {
        const text = some.map((one) => `${one}\n`).join('')
        expect(withTomlEntry(text, tomlPlace, entry).startsWith(text)).toBe(true)
      }),
    )
  })
})
