import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const floors = ['core', 'hosts', 'ui', 'apps', 'library.ts']

/** Apps that open another one, through its door: the command line starts them, and the server's doors mount on it. */
const opens: Record<string, string[]> = {
  'apps/cli': ['apps/server', 'apps/responses', 'apps/mcp-server', 'apps/web'],
  'apps/responses': ['apps/server'],
  'apps/mcp-server': ['apps/server'],
  'apps/web': ['apps/server'],
}

/** Functions of the core that make words or marks of what they are given. */
const drawn = new Set([
  'bytes',
  'callLabel',
  'changedWords',
  'citationWords',
  'citedPlace',
  'count',
  'diffParts',
  'duration',
  'fileWords',
  'grouped',
  'hasLinksLeft',
  'impactLines',
  'isRefused',
  'moment',
  'compactedLine',
  'projectLine',
  'referenceIn',
  'retryLine',
  'stepsLine',
  'visibleBlanks',
  'visibleJson',
  'visibleText',
  'waitingLine',
  'whyNotDone',
  'wordGroups',
])

describe('the house', () => {
  it('has imports that point down: core, then hosts, then panels, then apps', () => {
    const wrong = imports().filter(({ from, to }) => floors.indexOf(floor(to)) > floors.indexOf(floor(from)))
    expect(wrong).toEqual([])
  })

  it('enters another room of the core through its door', () => {
    const wrong = imports().filter(({ from, to }) => room(from) !== room(to) && floor(to) === 'core' && !isDoor(to))
    expect(wrong).toEqual([])
  })

  it('keeps hosts and apps from reaching into each other', () => {
    const sibling = ({ from, to }: Import) =>
      floor(from) === floor(to) && !['core', 'ui'].includes(floor(from)) && room(from) !== room(to)
    const throughItsDoor = ({ from, to }: Import) =>
      to === `src/${room(to)}/index.js` && opens[room(from)]?.includes(room(to))
    expect(imports().filter((one) => sibling(one) && !throughItsDoor(one))).toEqual([])
  })

  it('has panels and a page that take types and words from the core, and decide nothing', () => {
    const isDrawn = (file: string) => file.startsWith('src/ui/') || file.startsWith('src/apps/web/client/')
    const wrong = sources()
      .filter(isDrawn)
      .flatMap((file) => valuesOfCore(file).map((name) => `${file}: ${name}`))
      .filter((use) => !drawn.has(use.split(': ')[1]))
    expect(wrong).toEqual([])
    const elsewhere = imports().filter(({ from, to }) => floor(from) === 'ui' && !['ui', 'core'].includes(floor(to)))
    expect(elsewhere).toEqual([])
  })

  it('draws text as nodes, never as HTML', () => {
    const html = /innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment/
    expect(sources().filter((file) => floor(file) !== 'core' && html.test(read(file)))).toEqual([])
  })

  it('has a core that bundles for a browser, so it also loads on a phone', async () => {
    const result = await build({
      entryPoints: [join(root, 'src/core/index.ts')],
      bundle: true,
      format: 'esm',
      platform: 'browser',
      write: false,
      logLevel: 'silent',
    })
    const code = result.outputFiles[0].text
    expect(code).not.toMatch(/\beval\(|new Function\(|gray-matter/)
  })

  it('has no look-behind in the core, since the older WebKit of phones refuses the whole file for one', () => {
    const wrong = sources().filter((file) => floor(file) === 'core' && /\(\?<[=!]/.test(read(file)))
    expect(wrong).toEqual([])
  })

  it('has no file that wants to be a folder', () => {
    const long = sources()
      .map((file) => ({ file, lines: read(file).split('\n').length }))
      .filter(({ lines }) => lines > 450)
    expect(long).toEqual([])
  })

  it('has a command line whose hall holds its start alone', () => {
    const hall = readdirSync(join(root, 'src/apps/cli')).filter((name) => name.endsWith('.ts'))
    expect(hall.sort()).toEqual(['main.ts', 'run-command-line.ts'])
  })

  it('has commands that know nothing of each other', () => {
    const command = (file: string) => /^src\/apps\/cli\/commands\/([^/]+)\//.exec(file)?.[1]
    const wrong = imports()
      .filter(({ from, to }) => command(to) !== undefined && command(from) !== command(to))
      .filter(({ from }) => from !== 'src/apps/cli/commands/command-list.ts')
    // Without a command, `notewright` is a conversation.
    expect(wrong).toEqual([{ from: 'src/apps/cli/program/program.ts', to: 'src/apps/cli/commands/chat/chat.js' }])
  })
})

/** What is added by a file and a line: how the file gives it a name, and who may import it besides the list. */
const additions: { what: string; named: RegExp; importers?: Record<string, string> }[] = [
  {
    what: 'a tool',
    named: /^export const (\w+) = defineTool\b/gm,
    importers: { 'src/core/tools/search/restrict-dates.ts': 'part of search_notes, whose type of input it takes' },
  },
  { what: 'a dialect', named: /^export const (\w+) = defineDialect\b/gm },
  { what: 'a provider', named: /^export const (\w+): Provider = /gm },
  { what: 'a model family', named: /^export const (\w+): ProfileFamily = /gm },
  { what: 'a command', named: /^export const (\w+): DeclareCommand = /gm },
]

/** Files that lie among them and add nothing. */
const helpers: Record<string, string> = {
  'src/core/dialects/families/parameter-list.ts': 'what several dialects read alike',
  'src/core/model/profiles/default.ts': 'for a model of no known family',
}

describe.each(additions)(
  'adding $what touches only what the table of ARCHITECTURE.md says, and',
  ({ what, named, importers = {} }) => {
    const { place, listsFor } = tableRow(what)
    const files = sources().filter((file) => names(file).length > 0)

    function names(file: string): string[] {
      return [...read(file).matchAll(named)].map(([, name]) => name)
    }

    it('is a file in the folder it names', () => {
      expect(files).not.toEqual([])
      expect(files.filter((file) => !place.test(file))).toEqual([])
    })

    it('leaves no file in that folder that adds nothing', () => {
      // Among tools lie the parts they are made of.
      if (what === 'a tool') return
      const others = sources().filter((file) => place.test(file) && !files.includes(file))
      expect(others.filter((file) => !listsFor(file).includes(file) && !(file in helpers))).toEqual([])
    })

    it('is one line in one of the lists it names', () => {
      const listed = (file: string, name: string) =>
        listsFor(file).flatMap((list) => [...withoutImports(read(list)).matchAll(new RegExp(`\\b${name}\\b`, 'g'))])
      const wrong = files.flatMap((file) => names(file).filter((name) => listed(file, name).length !== 1))
      expect(wrong).toEqual([])
    })

    it('is imported by that list alone', () => {
      const others = imports().filter(({ to }) => files.includes(sourceOf(to)))
      const passingBy = others.filter(({ from, to }) => !listsFor(sourceOf(to)).includes(from))
      expect(passingBy.map(({ from }) => from).sort()).toEqual(Object.keys(importers).sort())
    })
  },
)

/** Where the table of ARCHITECTURE.md says such a file goes, and which lists there may be for one. */
function tableRow(what: string): { place: RegExp; listsFor: (file: string) => string[] } {
  const row = read('ARCHITECTURE.md')
    .split('\n')
    .find((line) => line.startsWith(`| ${what} |`))
  const [write = '', register = ''] = row?.split('|').slice(2) ?? []
  const place = /`(src\/[^`]+\.ts)`/.exec(write)?.[1] ?? `no file for ${what}`
  const lists = [...register.matchAll(/`([^`]+\.ts)`/g)].map(([, list]) => list)
  return {
    place: new RegExp(`^${place.replaceAll('.', '\\.').replace(/<\w+>/g, '[^/]+')}$`),
    listsFor: (file) =>
      lists
        .map((list) => (list.includes('/') ? list : join(dirname(file), list)))
        .filter((list) => existsSync(join(root, list))),
  }
}

const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const withoutImports = (text: string): string => text.replace(/^import .*$/gm, '')
const sourceOf = (imported: string): string => imported.replace(/\.js$/, '.ts')

interface Import {
  from: string
  to: string
}

const floor = (file: string): string => file.split('/')[1]
const room = (file: string): string => file.split('/').slice(1, 3).join('/')
const isDoor = (file: string): boolean => /^src\/core\/(errors|index|is-record|[\w-]+\/index)\.js$/.test(file)

/** What a file imports from the core besides types. */
function valuesOfCore(file: string): string[] {
  const found = read(file).matchAll(/^import (type )?\{([^}]*)\} from '[./]+\/core\/[^']+'/gm)
  return [...found]
    .filter(([, isType]) => isType === undefined)
    .flatMap(([, , names]) => names.split(',').map((name) => name.trim()))
    .filter((name) => name !== '' && !name.startsWith('type '))
}

function imports(): Import[] {
  return sources().flatMap((from) => {
    const found = read(from).matchAll(/(?:from|import\()\s*'(\.{1,2}\/[^']+)'/g)
    return [...found].map(([, to]) => ({ from, to: relative(root, join(root, dirname(from), to)) }))
  })
}

function sources(): string[] {
  return readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((file) => join('src', file))
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
}
