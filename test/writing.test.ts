import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fullName, showCompleteHelp } from '../src/apps/cli/program/help.js'
import { everyCommand, helpText } from '../src/apps/cli/reference/cli-reference.js'
import { createProgram } from '../src/apps/cli/run-command-line.js'
import {
  bannedIn,
  bannedPhrases,
  codeTermsIn,
  isReadable,
  productFiles,
  stringsIn,
  stringsOfFile,
} from './written-text.js'

const root = join(import.meta.dirname, '..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

/** Generated pages, whose sentences are in the code. */
const generated = ['cli.md', 'config.md', 'mcp.md', 'routes.md', 'tools.md', 'library.md']

const pagesIn = (folder: string): string[] => readdirSync(join(root, folder)).map((page) => `${folder}/${page}`)

/** Pages that follow docs/writing.md. */
const pages = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'docs/README.md',
  'docs/glossary.md',
  ...['docs/start', 'docs/guides', 'docs/reference', 'docs/internals'].flatMap(pagesIn),
].filter((page) => !generated.some((name) => page === `docs/reference/${name}`))

/** Pages for people who use Notewright and do not read its code. */
const pagesForUsers = pages.filter((page) => /^(README|docs\/(README|start\/.*|guides\/.*))\.md$/.test(page))

/** Words of the table that are right in other sentences, so that no test can look for them. */
const rightElsewhere = [
  ...['tell', 'hear', 'so long', 'hold', 'by its name', 'announced'],
  ...['panel', 'face', 'hand', 'mind', 'room', 'floor', 'window'],
]

describe('docs/writing.md', () => {
  it('lists banned phrases, each once and with something to say instead', () => {
    const phrases = bannedPhrases()
    expect(phrases.length).toBeGreaterThan(30)
    expect(new Set(phrases.map(({ phrase }) => phrase)).size).toBe(phrases.length)
    expect(phrases.filter(({ phrase, instead }) => phrase === '' || instead === '')).toEqual([])
  })

  it.each(pages)('bans no phrase that %s uses', (page) => {
    expect(bannedIn(read(page))).toEqual([])
  })

  it('bans no phrase that the changelog uses, except for former names', () => {
    expect(bannedIn(read('CHANGELOG.md').replace(/`[^`]*`/g, ''))).toEqual([])
  })

  it.each(pagesForUsers)('has the terms of %s', (page) => {
    expect(codeTermsIn(read(page).replaceAll('MCP session', ''))).toEqual([])
  })

  it('checks every term of its table', () => {
    const checked = [...bannedPhrases('phrases'), ...bannedPhrases('terms')].map(
      ({ phrase }) => new RegExp(phrase, 'i'),
    )
    const table = /## Terms\n([\s\S]*?)\n## /.exec(read('docs/writing.md'))?.[1] ?? ''
    const ours = [...table.matchAll(/^\| (?!ours|---)(.+?) \|/gm)].flatMap(([, row = '']) =>
      row.replace(/ \(.*?\)/g, '').split(', '),
    )
    expect(ours.length).toBeGreaterThan(40)
    const unchecked = ours.filter((term) => !checked.some((pattern) => pattern.test(term)))
    expect(unchecked).toEqual(rightElsewhere)
  })
})

describe('docs/glossary.md', () => {
  it('has at most 35 words, each once', () => {
    const words = [...read('docs/glossary.md').matchAll(/^\| \*\*(.+?)\*\* \|/gm)].map(([, word]) => word)
    expect(words.length).toBeLessThanOrEqual(35)
    expect(new Set(words).size).toBe(words.length)
  })
})

const complete = await createProgram(async () => {})
showCompleteHelp(complete)
const commands = everyCommand(complete).map((command) => [fullName(command), helpText(command, 100)] as const)

/** Words of the code that a reader of help does not know. */
const privateWords =
  /\b(consent|settle|grant|hunk|taint|provenance|egress|toolset|guard|change set|compare-and-swap|segment|freshness|notebook)s?\b/i

describe('the help', () => {
  it.each(commands)('of %s uses no banned phrase', (_, text) => {
    expect(bannedIn(text)).toEqual([])
  })

  it.each(commands)('of %s uses no word of the code', (_, text) => {
    // Names of options and placeholders are typed, and stay as they are.
    const words = text.replace(/--?[a-z][a-z-]*|<[^>]*>|\[[^\]]*\]|^ {2}\$.*$/gm, '')
    expect(privateWords.exec(words)?.[0]).toBeUndefined()
  })
})

/** Former names of options are typed, and stay. */
const isOption = (text: string): boolean => /^--[a-z-]+( <[a-z.]+>)?$/.test(text)

/** Word lists and patterns that match what users write, which is not our wording. */
const readsUserText = [
  'src/core/index/engine/function-words.ts',
  'src/core/offline/decide.ts',
  'src/core/offline/requests/look-up.ts',
  'src/core/offline/terms.ts',
]

/** Strings that contain a term and are right, and the reason. */
const rightHere: { file: string; text: RegExp; reason: string }[] = [
  {
    file: 'src/',
    text: /\bor offline\b|-m offline|agent, chat, vault-qa|read-only, ask-all, ask/,
    reason: 'values that are typed',
  },
  { file: 'src/apps/cli/commands/ask.ts', text: /--mode vault-qa/, reason: 'a command to type' },
  { file: 'src/core/', text: /conversation/i, reason: 'texts for models, which do not know a chat by that name' },
  { file: 'src/apps/responses/', text: /conversation/i, reason: "a term of OpenAI's API" },
  { file: 'src/apps/mcp/', text: /session/i, reason: 'a term of MCP' },
  { file: 'src/core/mcp/', text: /session/i, reason: 'a term of MCP' },
  { file: 'src/core/approval/approval-request.ts', text: /allow for this session/, reason: 'a choice in MCP clients' },
  { file: 'src/core/session/transcript.ts', text: /^session: /, reason: 'a property of exported chats' },
  { file: 'src/core/tools/media/youtube-captions.ts', text: /consent page/, reason: "the name of YouTube's page" },
  { file: 'src/hosts/obsidian/agreed-settings.ts', text: /^consent of project/, reason: 'a stored key' },
  { file: 'src/hosts/node/earlier-state.ts', text: /^time, session, turn/, reason: 'columns of a table' },
]

describe('the strings of the product', () => {
  const files = productFiles('src').filter((file) => !readsUserText.includes(file))
  const strings = files.flatMap((file) => stringsOfFile(file).map((string) => ({ file, ...string })))

  it('are all read', () => {
    expect(files.length).toBeGreaterThan(600)
    expect(strings.length).toBeGreaterThan(10_000)
  })

  it('use no banned phrase', () => {
    const used = strings
      .filter(({ text }) => !isOption(text))
      .flatMap(({ file, line, text }) =>
        bannedIn(text).map(({ phrase, instead }) => `${file}:${line} ${phrase} => ${instead}`),
      )
    expect(used).toEqual([])
  })

  const isRight = (string: { file: string; text: string }) =>
    rightHere.filter(({ file, text }) => string.file.startsWith(file) && text.test(string.text))

  it('use the words of the interface for what has another name in the code', () => {
    const used = strings
      .filter((string) => isReadable(string.text) && isRight(string).length === 0)
      .flatMap(({ file, line, text }) =>
        codeTermsIn(text).map(({ phrase, instead }) => `${file}:${line} ${phrase} => ${instead}: ${text.slice(0, 80)}`),
      )
    expect(used).toEqual([])
  })

  it('have no exception in the list that is not needed', () => {
    const needed = new Set(strings.filter(({ text }) => codeTermsIn(text).length > 0).flatMap(isRight))
    expect(rightHere.filter((exception) => !needed.has(exception))).toEqual([])
  })

  it('are found in literals, templates and between tags, and not in imports and types', () => {
    const source = `
      import { a } from './taken back.js'
      type Choice = 'take back'
      const text = 'one' + \`two \${a} three\` + a('four')
      const view = <p title="five">six</p>
    `
    expect(stringsIn(source).map(({ text }) => text)).toEqual(['one', 'two … three', 'four', 'five', 'six'])
  })
})
