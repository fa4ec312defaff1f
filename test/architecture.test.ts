import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { bundle } from '../scripts/bundle.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const floors = ['core', 'hosts', 'ui', 'apps', 'library.ts']

/** Apps that import another one, through its index.ts: the command line starts them, and others mount on the server. */
const opens: Record<string, string[]> = {
  'apps/cli': ['apps/server', 'apps/responses', 'apps/mcp', 'apps/acp', 'apps/web'],
  'apps/responses': ['apps/server'],
  'apps/mcp': ['apps/server'],
  'apps/web': ['apps/server'],
}

/** Functions of the core that only format data. */
const drawn = new Set([
  'actionWords',
  'bytes',
  'callLabel',
  'changedWords',
  'citationWords',
  'citedPlace',
  'allowChoices',
  'count',
  'decidedText',
  'diffParts',
  'duration',
  'editableText',
  'describeFile',
  'groupDigits',
  'hasHiddenLinksToRewrite',
  'impactLines',
  'localDateTime',
  'mergeEdits',
  'compactedLine',
  'projectLine',
  'referenceIn',
  'retryLine',
  'showDiff',
  'stepOutcome',
  'stepsLine',
  'quotedArgv',
  'scalarText',
  'visibleBlanks',
  'visibleJson',
  'visibleText',
  'waitingLine',
  'whyNotDone',
  'wordGroups',
])

describe('the source tree', () => {
  it('has imports that point down: from apps to components, hosts and core', () => {
    const wrong = imports().filter(({ from, to }) => floors.indexOf(floor(to)) > floors.indexOf(floor(from)))
    expect(wrong).toEqual([])
  })

  it('imports from another room of the core only through its index.ts', () => {
    const wrong = imports().filter(({ from, to }) => room(from) !== room(to) && floor(to) === 'core' && !isIndex(to))
    expect(wrong).toEqual([])
  })

  it('has hosts that do not import each other, and apps that do so only where listed', () => {
    const sibling = ({ from, to }: Import) =>
      floor(from) === floor(to) && !['core', 'ui'].includes(floor(from)) && room(from) !== room(to)
    const throughIndex = ({ from, to }: Import) =>
      to === `src/${room(to)}/index.js` && opens[room(from)]?.includes(room(to))
    expect(imports().filter((one) => sibling(one) && !throughIndex(one))).toEqual([])
  })

  it('has components and a page that import only types and formatting from the core', () => {
    const isDrawn = (file: string) => file.startsWith('src/ui/') || file.startsWith('src/apps/web/client/')
    const wrong = sources()
      .filter(isDrawn)
      .flatMap((file) => valuesOfCore(file).map((name) => `${file}: ${name}`))
      .filter((use) => !drawn.has(use.split(': ')[1]))
    expect(wrong).toEqual([])
    const elsewhere = imports().filter(({ from, to }) => floor(from) === 'ui' && !['ui', 'core'].includes(floor(to)))
    expect(elsewhere).toEqual([])
  })

  it('has a plugin that loads neither the core nor its host before they are used', () => {
    // Obsidian waits for this code, and the index worker, in which part of the core cannot run, loads it too.
    const reached = new Set(['src/apps/obsidian/main.ts'])
    for (const file of reached) {
      const values = read(file).matchAll(
        /^(?:import|export) (?!type )(?!\{(?: type [^,}]+,?)+ \})[^;']*? from '(\.[^']+)\.js'/gm,
      )
      for (const [, to] of values) {
        const found = relative(root, join(root, dirname(file), to!))
        reached.add(existsSync(join(root, `${found}.ts`)) ? `${found}.ts` : `${found}.tsx`)
      }
    }
    expect(reached.size).toBeGreaterThan(5)
    expect([...reached].filter((file) => /^src\/(hosts|core)\/\w+\/index\.ts$/.test(file))).toEqual([])
  })

  it('draws text as nodes, never as HTML', () => {
    const html = /innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment/
    expect(sources().filter((file) => floor(file) !== 'core' && html.test(read(file)))).toEqual([])
  })

  it('has a core that bundles for a browser', async () => {
    const [{ code }] = await bundle({
      input: join(root, 'src/core/index.ts'),
      platform: 'browser',
      // Simplified, zod's test of whether it may evaluate anything is written as `new Function` too.
      treeshake: false,
      output: { format: 'esm', codeSplitting: false, minify: false },
    })
    expect(code).not.toMatch(/\beval\(|new Function\(|gray-matter/)
  })

  it('has no look-behind in the core, because older WebKit on phones rejects the whole file', () => {
    const wrong = sources().filter((file) => floor(file) === 'core' && /\(\?<[=!]/.test(read(file)))
    expect(wrong).toEqual([])
  })

  it('has no import cycles at run time except the known ones', () => {
    const edges = new Map<string, string[]>()
    for (const file of sources()) edges.set(file, staticImports(file))
    expect(cyclesIn(edges).filter((cycle) => !cycle.split(' → ').every((file) => cyclic.has(file)))).toEqual([])
  })

  it('has one index.ts for a room, and no other barrel inside it', () => {
    const deeper = sources().filter((file) => /^src\/(core|hosts|ui|apps\/[^/]+)\/.*\/index\.ts$/.test(file))
    const inside = deeper.filter((file) => !/^src\/(core|hosts|apps)\/[^/]+\/index\.ts$/.test(file))
    expect(inside.filter((file) => !(file in registrationLists))).toEqual([])
  })

  it('has no file under 25 lines that one other file imports, without a reason', () => {
    const importers = new Map<string, Set<string>>()
    for (const { from, to } of imports()) {
      const file = existsSync(join(root, sourceOf(to))) ? sourceOf(to) : to.replace(/\.js$/, '.tsx')
      importers.set(file, (importers.get(file) ?? new Set()).add(from))
    }
    const tiny = sources().filter((file) => read(file).split('\n').length < 25 && importers.get(file)?.size === 1)
    const additionFiles = /\/(families|profiles|table)\/|^src\/core\/tools\/[a-z]+\//
    expect(tiny.filter((file) => !additionFiles.test(file) && !(file in smallFiles))).toEqual([])
  })

  it('has comments that begin with their subject, not with What, Who, Whose or Of', () => {
    const wrong = allSources().flatMap((file) =>
      commentsIn(read(file))
        .filter((comment) => /^(?:What|Who|Whoever|Whose|Of)\b/.test(comment) && !comment.endsWith('?'))
        .map((comment) => `${file}: ${comment}`),
    )
    expect(wrong).toEqual([])
    expect(commentsIn('const a = 1 // What it is.\n// One comment\n// Of two lines.\n/** Who\n * asks. */')).toEqual([
      'What it is.',
      'One comment Of two lines.',
      'Who asks.',
    ])
  })

  it('has commands that do not import each other', () => {
    const isCommand = (file: string) => /^src\/apps\/cli\/commands\/[^/]+$/.test(file) && !(sourceOf(file) in helpers)
    const wrong = imports().filter(
      ({ from, to }) => isCommand(from) && isCommand(to) && !from.endsWith('/command-list.ts'),
    )
    expect(wrong).toEqual([])
  })
})

/** Folders whose index.ts is the list in which additions are registered. */
const registrationLists: Record<string, string> = {
  'src/core/dialects/families/index.ts': 'the list of dialects',
  'src/core/model/profiles/index.ts': 'the list of model families',
  'src/core/providers/table/index.ts': 'the list of providers',
}

/** Small files with one importer, and the reason for each. */
const smallFiles: Record<string, string> = {
  'src/ui/note-links.tsx': 'notes as links, for any list that names them',
  'src/core/index/semantic/kernel-bytes.ts': 'generated by scripts/build-kernel.mjs',
  'src/core/index/writing.ts': 'loaded when something is written: all code that writes the index, in one chunk',
  'src/hosts/node/folder-vault/writing.ts': 'loaded when something is written',
  'src/apps/cli/program/completion-names.ts': 'loaded for the script of completion: it brings all tools',
  'src/hosts/node/readable-page.ts': 'loaded with the first page: it brings an HTML parser',
  'src/hosts/obsidian/readable-page.ts': 'loaded with the first page: it brings a reader of HTML',
}

/** Files that still import each other. Nothing may join them. */
const cyclic = new Set([
  'src/core/agent/context-budget.ts',
  'src/core/agent/file-parts.ts',
  'src/core/agent/step.ts',
  'src/core/agent/system-prompt.ts',
  'src/hosts/node/codex/app-server.ts',
  'src/hosts/node/codex/codex-model.ts',
  'src/hosts/node/codex/open-codex.ts',
  'src/hosts/node/codex/turn-reply.ts',
  'src/hosts/node/codex/turn.ts',
  'src/hosts/node/sqlite-store/link-rows.ts',
  'src/hosts/node/sqlite-store/rows.ts',
  'src/apps/cli/chat/chat-at-terminal.ts',
  'src/apps/cli/chat/slash-commands.ts',
])

/** Additions of one file and one line: how the file names them, and which files besides the list may import it. */
const additions: { what: string; named: RegExp; importers?: Record<string, string> }[] = [
  {
    what: 'a tool',
    named: /^export const (\w+) = defineTool\b/gm,
    importers: { 'src/core/tools/file/rename-in-notes.ts': 'a tag or property is renamed as change_notes does it' },
  },
  { what: 'a dialect', named: /^export const (\w+) = defineDialect\b/gm },
  { what: 'a provider', named: /^export const (\w+): Provider = /gm },
  { what: 'a model family', named: /^export const (\w+): ProfileFamily = /gm },
  {
    what: 'a command',
    named: /^export const (\w+): DeclareCommand = /gm,
    importers: { 'src/apps/cli/run-command-line.ts': 'without a command, notewright is a chat' },
  },
]

/** Files that lie among them and add nothing. */
const helpers: Record<string, string> = {
  'src/apps/cli/commands/init-entries.ts': 'the entries that init writes into configuration files of MCP clients',
  'src/apps/cli/commands/serve-keys.ts': 'the access keys of serve',
  'src/core/model/profiles/default.ts': 'for a model of no known family',
}

describe.each(additions)('adding $what as the table of ARCHITECTURE.md says', ({ what, named, importers = {} }) => {
  const { place, listsFor } = tableRow(what)
  const files = sources().filter((file) => names(file).length > 0)

  function names(file: string): string[] {
    return [...read(file).matchAll(named)].map(([, name]) => name)
  }

  it('is a file in the folder that the table names', () => {
    expect(files).not.toEqual([])
    expect(files.filter((file) => !place.test(file))).toEqual([])
  })

  it('has no other files in that folder', () => {
    // Among tools lie the parts they are made of.
    if (what === 'a tool') return
    const others = sources().filter((file) => place.test(file) && !files.includes(file))
    expect(others.filter((file) => !listsFor(file).includes(file) && !(file in helpers))).toEqual([])
  })

  it('is one line in one of the lists that the table names', () => {
    const listed = (file: string, name: string) =>
      listsFor(file).flatMap((list) => [...withoutImports(read(list)).matchAll(new RegExp(`\\b${name}\\b`, 'g'))])
    const wrong = files.flatMap((file) => names(file).filter((name) => listed(file, name).length !== 1))
    expect(wrong).toEqual([])
  })

  it('is imported only by that list', () => {
    const others = imports().filter(({ to }) => files.includes(sourceOf(to)))
    const notListed = others.filter(({ from, to }) => !listsFor(sourceOf(to)).includes(from))
    expect(notListed.map(({ from }) => from).sort()).toEqual(Object.keys(importers).sort())
  })
})

describe('ARCHITECTURE.md and the pages in docs/internals', () => {
  const internals = readdirSync(join(root, 'docs/internals')).map((page) => `docs/internals/${page}`)
  const pages = ['ARCHITECTURE.md', ...internals]

  it('name only files and folders that exist', () => {
    expect(pages.flatMap((page) => pathsIn(read(page)).map((path) => `${page}: ${path}`)).filter(isMissing)).toEqual([])
  })

  it('link only to pages that exist', () => {
    const links = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\(([^)#:]+)[^):]*\)/g)].map(([, to = '']) => `${page}: ${join(dirname(page), to)}`),
    )
    expect(links.filter(isMissing)).toEqual([])
  })

  it('name only functions that the sources contain', () => {
    const code = sources().map(read).join('\n')
    const named = pages.flatMap((page) => [...read(page).matchAll(/`(\w+)\(\)`/g)].map(([, name = '']) => name))
    expect(named.filter((name) => !new RegExp(`\\b${name}\\b`).test(code))).toEqual([])
  })

  it.each([
    ['A message', 28],
    ['A note', 18],
  ])('show the way of "%s" in at most %i files', (title, most) => {
    const section = read('ARCHITECTURE.md')
      .split('\n## ')
      .find((text) => text.startsWith(title))
    const files = new Set(pathsIn(section ?? '').filter((path) => path.endsWith('.ts')))
    expect(files.size).toBeGreaterThan(10)
    expect(files.size).toBeLessThanOrEqual(most)
  })

  it('fit the reading time that ARCHITECTURE.md promises', () => {
    expect(read('ARCHITECTURE.md').split(/\s+/).length).toBeLessThanOrEqual(2000)
  })
})

/** Paths in backticks, relative to the root or to `src/`. A `<name>` stands for a new file; the folder before it must exist. */
function pathsIn(text: string): string[] {
  const quoted = [...text.matchAll(/`([\w.@<>-]+(?:\/[\w.@<>-]*)+)`/g)].map(([, path = '']) => path)
  return quoted
    .filter((path) => !path.startsWith('dist/') && (path.endsWith('/') || /\.\w+$/.test(path)))
    .map((path) => path.replace(/<.*/, ''))
    .filter((path) => path.includes('/') && !isConfigFolder(path))
}

/** The user's own folder of tools. */
const isConfigFolder = (path: string): boolean => path === 'tools/'

function isMissing(named: string): boolean {
  const path = named.slice(named.indexOf(': ') + 2)
  return !existsSync(join(root, path)) && !existsSync(join(root, 'src', path))
}

/** The folder and the lists that the table of ARCHITECTURE.md names for such a file. */
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
const isIndex = (file: string): boolean =>
  /^src\/core\/(at-commands|canvas|costs|errors|files|index|is-record|memory|projects|skills|[\w-]+\/index)\.js$/.test(
    file,
  )

/** Values, not types, that a file imports from the core. */
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

const sources = (): string[] => allSources().filter((file) => !/\.test\.tsx?$/.test(file))

/** All source files, with the tests beside them. */
function allSources(): string[] {
  return readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((file) => join('src', file))
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
}

/** The comments of a source, each as one line. Consecutive `//` lines are one comment. */
function commentsIn(source: string): string[] {
  const found = source.matchAll(/\/\*[\s\S]*?\*\/|^[ \t]*\/\/ .*(?:\n[ \t]*\/\/ .*)*|[ \t]\/\/ .*/gm)
  return [...found].map(([comment]) =>
    comment
      .split('\n')
      .map((line) => line.replace(/^\s*(?:\/\*+|\*+\/|\*|\/\/)\s*/, '').replace(/\s*\*\/\s*$/, ''))
      .join(' ')
      .trim(),
  )
}

/** Files that a file imports when it is loaded: no types, no `import()`. */
function staticImports(file: string): string[] {
  const found = read(file).matchAll(/^(?:import|export) (?!type\b)(?:[^'"]*? from )?'(\.{1,2}\/[^']+)'/gm)
  return [...found]
    .filter(([statement]) => !/^(?:import|export) \{(?:\s*type \w+(?: as \w+)?,?)+\s*\}/.test(statement))
    .map(([, to = '']) => relative(root, join(root, dirname(file), to)))
    .map((to) => (existsSync(join(root, sourceOf(to))) ? sourceOf(to) : to.replace(/\.js$/, '.tsx')))
}

/** One cycle for each strongly connected group of files. */
function cyclesIn(edges: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (file: string, path: string[]) => {
    const at = path.indexOf(file)
    if (at !== -1) return void cycles.push([...path.slice(at), file].join(' → '))
    if (done.has(file)) return
    for (const next of edges.get(file) ?? []) visit(next, [...path, file])
    done.add(file)
  }
  for (const file of edges.keys()) visit(file, [])
  return cycles
}
