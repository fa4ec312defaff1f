// Writes the declarations of what the library exports into dist/: `node scripts/build-types.mjs`.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { dts } from 'rolldown-plugin-dts'
import ts from 'typescript'
import { writeWhole } from './build-library.mjs'
import { bundle } from './bundle.mjs'
import { withLicencesOf } from './licences.mjs'

/**
 * `core.d.mts` and `library.d.mts`, and what both speak of once. Types of other packages are taken in, so that whoever
 * imports us needs none of them: a few of the AI SDK's, which are a model's and a message's shape, are all there are.
 */
export async function buildTypes(outdir) {
  // Beside the packages, so that they are found from there.
  const emitted = mkdtempSync(join('node_modules', '.declarations-'))
  try {
    emitDeclarations(emitted)
    const licences = join(outdir, 'licences.txt')
    for (const { fileName, code, moduleIds } of await rollUp(emitted)) {
      writeWhole(join(outdir, fileName), code.replace(/^\/\/#(?:end)?region.*\n/gm, ''))
      writeWhole(licences, withLicencesOf(moduleIds.filter(isForeign), readFileSync(licences, 'utf8')))
    }
  } finally {
    rmSync(emitted, { recursive: true })
  }
}

const isForeign = (file) => !file.includes('.declarations-')

/** Unchecked, which is what `npm run types` is for. */
function emitDeclarations(outDir) {
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile)
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, '.')
  const emitting = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    noCheck: true,
    rootDir: 'src',
    outDir,
  }
  const program = ts.createProgram(['src/library.ts'], { ...options, ...emitting })
  const afterDeclarations = [spelledOut(program.getTypeChecker())]
  const { emitSkipped, diagnostics } = program.emit(undefined, undefined, undefined, true, { afterDeclarations })
  if (emitSkipped || diagnostics.length > 0) {
    const host = { getCanonicalFileName: (name) => name, getCurrentDirectory: () => '.', getNewLine: () => '\n' }
    throw new Error(ts.formatDiagnostics(diagnostics, host))
  }
}

/** A type that zod makes of a schema, as what it is: zod's own types pass no strict check outside of their package. */
function spelledOut(checker) {
  const flags = ts.NodeBuilderFlags.NoTruncation | ts.NodeBuilderFlags.InTypeAlias
  const spell = (node) => {
    const written = ts.getParseTreeNode(node)
    if (!ts.isTypeAliasDeclaration(node) || !/^z\.(?:infer|output)</.test(written.type.getText())) return node
    const type = checker.typeToTypeNode(checker.getTypeAtLocation(written.name), undefined, flags)
    return ts.factory.updateTypeAliasDeclaration(node, node.modifiers, node.name, node.typeParameters, valid(type))
  }
  // Fields that differ from those of any other name are allowed in a schema, but not written in one piece.
  const valid = (node) => {
    const whole = ts.visitEachChild(node, valid, undefined)
    if (!ts.isTypeLiteralNode(whole)) return whole
    const parts = [whole.members.filter((member) => !ts.isIndexSignatureDeclaration(member))]
    parts.push(whole.members.filter(ts.isIndexSignatureDeclaration))
    if (parts.some(({ length }) => length === 0)) return whole
    return ts.factory.createIntersectionTypeNode(parts.map((members) => ts.factory.createTypeLiteralNode(members)))
  }
  return (context) => (file) => ts.visitEachChild(file, spell, context)
}

async function rollUp(folder) {
  const output = await bundle({
    input: { core: join(folder, 'core/index.d.ts'), library: join(folder, 'library.d.ts') },
    plugins: [fitForAnyHost, dts({ dtsInput: true, tsconfig: false, resolve: true })],
    external: (name) => isBuiltin(name),
    checks: { pluginTimings: false },
    strict: true,
    output: { entryFileNames: '[name].d.mts', chunkFileNames: 'shared.d.mts' },
  })
  const wanted = output.flatMap(({ imports }) => imports).filter((name) => !isBuiltin(name) && name !== 'shared.d.mts')
  if (wanted.length > 0) throw new Error(`The declarations speak of packages nobody has: ${wanted.join(', ')}`)
  return output
}

/** Two things in the AI SDK's types that not every host has. */
const fitForAnyHost = {
  name: 'fit-for-any-host',
  // The package of this name is another one, without types.
  resolveId: (name) =>
    name === 'json-schema' ? join(process.cwd(), 'node_modules/@types/json-schema/index.d.ts') : null,
  // A Buffer is a Uint8Array, which the union contains already.
  transform: {
    filter: { id: /provider-utils/ },
    handler: (code) => code.replaceAll('Uint8Array | ArrayBuffer | Buffer', 'Uint8Array | ArrayBuffer'),
  },
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await buildTypes('dist')
