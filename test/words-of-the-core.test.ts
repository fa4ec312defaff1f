import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

/** Files of the core that may name commands outside of a failure's `command`, and the reason for each. */
const mayName: Record<string, string> = {
  'config/config-reference.ts': 'a page about the command line',
  'config/config-schema.ts': 'the texts of that page',
  'mcp/tool-servers.ts': 'a host says otherwise with whereToLook',
  'index/notebook.ts': 'a host says otherwise with howToDecide',
  'offline/guidance.ts': 'a host has words of its own',
  'providers/provider.ts': 'a host has advice of its own',
  'providers/table/compatible.ts': 'options of the server itself',
  'providers/table/lmstudio.ts': 'options of the server itself',
}

/** A command of ours, or an option of some command. */
const typed = /\bnotewright (?:[a-z]|$)|(?:^|[\s`(])--[a-z]/

describe('messages of the core, which are also shown without a terminal,', () => {
  it('name a command or an option only in the command of a failure', () => {
    const wrong = sources().filter((file) => !(file in mayName) && told(file).length > 0)
    expect(wrong.map((file) => [file, told(file)])).toEqual([])
  })

  it('have no exception in the list that is not needed', () => {
    expect(Object.keys(mayName).filter((file) => told(file).length === 0)).toEqual([])
  })

  it('are checked in any kind of string', () => {
    const found = [
      `const hint = \`Decide: notewright recover \${id}\``,
      "fail('See it.', 'notewright doctor')",
      "const words = { hint: near ? near : 'notewright projects list' }",
      `say(\`notewright \${name} helps\`)`,
      "const hint = 'Add it with --header'",
      "const command = () => ({ hint: 'notewright index' })",
    ]
    for (const source of found) expect([source, commandsIn(source)]).toEqual([source, [expect.stringMatching(typed)]])
    const passed = [
      `const details = { hint, command: \`notewright recover \${id}\` }`,
      "const details = { command: isOne ? 'notewright recover' : undefined }",
      '// As notewright log prints it.',
      "const note = '---\\nnotewright: project\\n---'",
    ]
    for (const source of passed) expect([source, commandsIn(source)]).toEqual([source, []])
  })
})

const core = join('src', 'core')

function sources(): string[] {
  return readdirSync(core, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
}

const told = (file: string): string[] => commandsIn(readFileSync(join(core, file), 'utf8'))

/** The strings of a source that name something to type, but for what is the `command` of an object. */
function commandsIn(source: string): string[] {
  const found: string[] = []
  const look = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && node.name.getText() === 'command') return
    if (isText(node) && typed.test(node.text)) found.push(node.text)
    node.forEachChild(look)
  }
  look(ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true))
  return found
}

const isText = (node: ts.Node): node is ts.LiteralLikeNode =>
  ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node)
