import { readFileSync } from 'node:fs'
import { dirname, relative, resolve, sep } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const folders = ['src/apps/obsidian/', 'src/hosts/obsidian/']

/** Whatever our sources name of the app, with the version that has it first. */
interface Use {
  where: string
  name: string
  since: string
}

function programOf(config: string): ts.Program {
  const { config: read } = ts.readConfigFile(config, ts.sys.readFile)
  const { fileNames, options } = ts.parseJsonConfigFileContent(read, ts.sys, dirname(config))
  return ts.createProgram(fileNames, { ...options, noEmit: true })
}

function usesOf(program: ts.Program, isOurs: (path: string) => boolean): Use[] {
  const checker = program.getTypeChecker()
  const uses: Use[] = []
  for (const file of program.getSourceFiles()) {
    const path = relative('.', file.fileName).split(sep).join('/')
    if (isOurs(path)) visit(file)
    function visit(node: ts.Node): void {
      if (ts.isIdentifier(node)) {
        for (const symbol of meantBy(node)) {
          const since = sinceOf(symbol)
          const { line } = file.getLineAndCharacterOfPosition(node.getStart())
          if (since !== undefined) uses.push({ where: `${path}:${line + 1}`, name: node.text, since })
        }
      }
      ts.forEachChild(node, visit)
    }
  }
  return uses

  /** The thing itself; of a name in an object or a class, also what the app reads there. */
  function meantBy(node: ts.Identifier): ts.Symbol[] {
    const named = checker.getSymbolAtLocation(node)
    const symbol = named && named.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(named) : named
    return [symbol, ...readOf(node.parent, node)].filter((one) => one !== undefined)
  }

  function readOf(parent: ts.Node, node: ts.Identifier): (ts.Symbol | undefined)[] {
    if (ts.isObjectLiteralElementLike(parent) && parent.name === node && ts.isObjectLiteralExpression(parent.parent)) {
      const expected = checker.getContextualType(parent.parent)
      const kinds = expected?.isUnion() ? expected.types : expected ? [expected] : []
      return kinds.map((kind) => kind.getProperty(node.text))
    }
    if (ts.isClassElement(parent) && parent.name === node && ts.isClassDeclaration(parent.parent)) {
      const bases = checker.getTypeAtLocation(parent.parent).getBaseTypes() ?? []
      return bases.map((base) => base.getProperty(node.text))
    }
    return []
  }
}

function sinceOf(symbol: ts.Symbol): string | undefined {
  const inApp = symbol.declarations?.filter((one) => one.getSourceFile().fileName.endsWith('/obsidian/obsidian.d.ts'))
  const told = (inApp ?? []).map((one) => ts.getJSDocTags(one).find(({ tagName }) => tagName.text === 'since'))
  const versions = told.map((tag) => (typeof tag?.comment === 'string' ? tag.comment.trim() : undefined))
  // One of several forms that is old enough will do.
  return versions.some((version) => version === undefined) ? undefined : versions.sort(compareVersions)[0]
}

function compareVersions(one = '', other = ''): number {
  const [a, b] = [one, other].map((version) => version.split('.').map(Number))
  return a[0] - b[0] || (a[1] ?? 0) - (b[1] ?? 0) || (a[2] ?? 0) - (b[2] ?? 0)
}

describe("the app's API that the plugin uses", () => {
  const { minAppVersion } = JSON.parse(readFileSync('manifest.json', 'utf8')) as { minAppVersion: string }

  it('exists in the oldest version that the manifest names', () => {
    const program = programOf(resolve('src/hosts/obsidian/tsconfig.json'))
    const uses = usesOf(program, (path) => folders.some((folder) => path.startsWith(folder)))
    expect(uses.length).toBeGreaterThan(200)
    const tooNew = uses.filter(({ since }) => compareVersions(since, minAppVersion) > 0)
    expect(tooNew.map(({ where, name, since }) => `${where} ${name} is of ${since}`)).toEqual([])
  })

  it('is found in every form: called, passed in an object, or overridden in a class', () => {
    const file = resolve('src/apps/obsidian/too-new.ts')
    const text = `import { type Setting, type SettingDefinitionPage, PluginSettingTab } from 'obsidian'
      export const page = (): SettingDefinitionPage => ({ type: 'page', name: 'A', displayValue: 'b', items: [] })
      export const draw = (row: Setting) => row.addDisplayValue('x')
      export class Tab extends PluginSettingTab { override getSettingDefinitions() { return [] } }`
    const options: ts.CompilerOptions = {
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ES2022,
      strict: true,
      types: [],
      lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
    }
    const host = ts.createCompilerHost(options)
    const { getSourceFile, fileExists } = host
    host.fileExists = (name) => name === file || fileExists(name)
    host.getSourceFile = (name, ...rest) =>
      name === file ? ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true) : getSourceFile(name, ...rest)
    const uses = usesOf(ts.createProgram([file], options, host), (path) => path.endsWith('too-new.ts'))
    const found = uses.map(({ name, since }) => `${name} ${since}`)
    expect(found).toContain('displayValue 1.13.1')
    expect(found).toContain('addDisplayValue 1.13.1')
    expect(found).toContain('getSettingDefinitions 1.13.0')
  })
})
