// The text of docs/reference/library.md, from the types of src/library.ts and the comments above them. `npm run docs` writes it.
import { readFileSync } from 'node:fs'
import { relative, sep } from 'node:path'
import ts from 'typescript'

/** The sections of the page. An export is in the first section that names it or its folder. */
const sections = [
  {
    title: 'Ask, search and read',
    names: [
      'openVault',
      'OpenVaultOptions',
      'FolderVault',
      'VaultCalls',
      'PendingAnswer',
      'Answer',
      'Citation',
      'ChangeSummary',
      'AskOptions',
      'ConversationOptions',
      'QuestionOptions',
      'Conversation',
      'SearchOptions',
      'SearchAnswer',
      'SearchHit',
      'Rank',
      'Note',
      'AttachedFile',
      'SessionScope',
      'Approve',
      'Approval',
      'ApprovalRequest',
      'ShownChange',
      'ApprovalAnswer',
      'Failure',
      'FailureCode',
    ],
  },
  { title: 'Sessions and events', folders: ['core/session', 'core/agent'] },
  { title: 'Approvals', folders: ['core/approval'] },
  { title: 'Tools', folders: ['core/tools'] },
  { title: 'Notes and changes', folders: ['core/vault', 'core/markdown'] },
  { title: 'Index and search', folders: ['core/index', 'hosts/node'] },
  { title: 'Models and providers', folders: ['core/model', 'core/providers', 'node_modules'] },
  { title: 'Tool calls written as text', folders: ['core/dialects'] },
  { title: 'Settings and failures', folders: ['core/config', 'core/errors.ts'] },
]

/** Pages that describe a type better than its declaration. */
const describedElsewhere = { Config: '[Settings](config.md) lists them.' }

export function libraryReference() {
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile)
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, '.')
  const program = ts.createProgram(['src/library.ts'], options)
  const checker = program.getTypeChecker()
  const exportsOf = (file) => checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(file)))
  const anywhere = new Set(exportsOf('src/core/index.ts').map(({ name }) => name))
  const exported = exportsOf('src/library.ts').map((symbol) => {
    const { flags, name } = symbol
    const own = flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
    return { name, symbol: own, declaration: own.declarations[0], isForNode: !anywhere.has(name) }
  })
  const left = new Set(exported)
  const parts = sections.map((section) => {
    const own = inSection([...left], section)
    for (const each of own) left.delete(each)
    return { title: section.title, own }
  })
  if (left.size > 0) throw new Error(`In no section: ${[...left].map(({ name }) => name).join(', ')}`)
  const page = pageWriter(checker, parts)
  const undescribed = exported.filter((each) => page.sentence(each) === '').map(({ name }) => name)
  if (undescribed.length > 0) throw new Error(`These exports have no comment: ${undescribed.join(', ')}`)

  const contents = parts.map(({ title, own }) => `**${title}:** ${own.map(({ name }) => page.link(name)).join(', ')}`)
  const body = parts.map(({ title, own }) => `## ${title}\n\n${own.map(page.entry).join('\n\n')}`)
  return `${introduction()}\n\n## Contents\n\n${contents.join('\n\n')}\n\n${body.join('\n\n')}\n`
}

function inSection(exported, { names, folders = [] }) {
  if (names !== undefined) return names.map((name) => exported.find((each) => each.name === name))
  const isIn = ({ declaration }) => {
    const path = relative('src', declaration.getSourceFile().fileName).split(sep).join('/')
    return folders.some((folder) => path.startsWith(folder) || path.includes(`/${folder}/`))
  }
  return exported.filter(isIn).sort((one, another) => (one.name < another.name ? -1 : 1))
}

function introduction() {
  const example = readFileSync('examples/01-ask.ts', 'utf8').replace(/^\/\/.*\n/, '')
  return `# Library

Generated from the types by \`npm run docs\`. The [examples](../../examples/README.md) show how to use them.

\`\`\`js
${example.trim()}
\`\`\`

| import from | runs on | contains |
| --- | --- | --- |
| \`notewright\` | Node 20.19 or later | everything on this page |
| \`notewright/core\` | any host with the usual web globals | everything that is not marked *Node* |

- **Ask.** [\`vault.ask()\`](#vaultcalls) returns a [\`PendingAnswer\`](#pendinganswer). Await it for the [\`Answer\`](#answer), or read its
  events with \`for await\`.
- **Failures are thrown,** as [\`Failure\`](#failure) with a code and a hint. A bug is a plain \`Error\`. An aborted \`signal\` throws its reason.
- **Nothing is changed by default.** Pass \`approve\` to decide about each change. \`vault.undo(id)\` reverts one.
- **Types.** The declarations hold with \`strict\`, \`exactOptionalPropertyTypes\` and without \`skipLibCheck\`. They need TypeScript 5.2 or later.`
}

/** Writes the entries of a page with these parts. */
function pageWriter(checker, parts) {
  const anchors = anchorsOf(parts)
  const names = new Map(parts.flatMap(({ own }) => own.map(({ name, symbol }) => [symbol, name])))
  const link = (name, text = name) => `[${text}](#${anchors.get(name)})`
  const flat = (text) => text.replace(/\s+/g, ' ').trim()
  const cell = (text) => flat(text).replaceAll('|', '\\|')
  const code = (text) => `\`${flat(text)}\``
  const isForeign = (declaration) => declaration.getSourceFile().fileName.includes('node_modules')
  const commentOf = (symbol) => flat(ts.displayPartsToString(symbol.getDocumentationComment(checker)))

  const sentence = ({ name, symbol, declaration }) =>
    isForeign(declaration) ? `\`${name}\` of the AI SDK (\`@ai-sdk/provider\`).` : commentOf(symbol)

  function entry(exported) {
    const { name, declaration, isForNode } = exported
    const parts = [`### ${name}`, `${isForNode ? '*Node.* ' : ''}${sentence(exported)}`]
    if (name in describedElsewhere) parts.push(describedElsewhere[name])
    else if (!isForeign(declaration)) parts.push(...describe(exported))
    return parts.filter((part) => part !== '').join('\n\n')
  }

  function describe({ name, symbol, declaration }) {
    if (ts.isInterfaceDeclaration(declaration)) return membersOf(declaration, checker.getDeclaredTypeOfSymbol(symbol))
    if (ts.isClassDeclaration(declaration)) return classMembers(name, declaration, symbol)
    if (ts.isTypeAliasDeclaration(declaration)) return [typescript(withoutExport(declaration.getText()))]
    const calls = checker.getTypeOfSymbolAtLocation(symbol, declaration).getCallSignatures()
    if (calls.length > 0) return [typescript(calls.map((call) => `${name}${signature(call, declaration)}`).join('\n'))]
    const type = checker.getTypeOfSymbolAtLocation(symbol, declaration)
    return [typescript(`const ${name}: ${checker.typeToString(type, declaration)}`)]
  }

  function classMembers(name, declaration, symbol) {
    const [built] = checker.getTypeOfSymbolAtLocation(symbol, declaration).getConstructSignatures()
    const made = built && typescript(`new ${name}${signature(built, declaration).replace(/: \w+$/, '')}`)
    return [made ?? '', ...membersOf(declaration, checker.getDeclaredTypeOfSymbol(symbol))]
  }

  /** A table of the members. Those of other exports are named, and those of the language left out. */
  function membersOf(declaration, type) {
    const inherited = (declaration.heritageClauses ?? []).flatMap(({ types }) => types)
    const listed = inherited.filter((each) => names.has(resolved(each.expression)))
    const own = checker
      .getPropertiesOfType(type)
      .filter(({ declarations: [made] = [] }) => made !== undefined && !isForeign(made) && !isAmbient(made))
      .filter((member) => !listed.some((each) => checker.getTypeAtLocation(each).getProperty(member.name)))
    const also = listed.map((each) => link(names.get(resolved(each.expression)), code(each.getText())))
    const rows = own.map(
      (member) => `| ${cell(nameOf(member))} | ${cell(typeOf(member))} | ${cell(commentOf(member))} |`,
    )
    const table = ['| member | type | |', '| --- | --- | --- |', ...rows].join('\n')
    return [also.length > 0 ? `Also has the members of ${also.join(' and ')}.` : '', rows.length > 0 ? table : '']
  }

  function resolved(expression) {
    const symbol = checker.getSymbolAtLocation(expression)
    return symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  }

  const isAmbient = (made) => made.getSourceFile().fileName.endsWith('platform.d.ts')

  function nameOf(member) {
    const [made] = member.declarations
    const isOptional = (member.flags & ts.SymbolFlags.Optional) !== 0
    return code(`${made.name?.getText() ?? member.name}${isOptional ? '?' : ''}`)
  }

  function typeOf(member) {
    const [made] = member.declarations
    if (ts.isMethodSignature(made) || ts.isMethodDeclaration(made))
      return member.declarations.map((each) => code(callText(each))).join(' or ')
    const written = made.type?.getText()
    if (written === undefined) return code(checker.typeToString(checker.getTypeOfSymbol(member)))
    // `| undefined` is for strict consumers; the question mark says it already.
    return code(
      withoutComments(written)
        .replace(/ \| undefined$/, '')
        .replace(/^\((.*=>.*)\)$/, '$1'),
    )
  }

  const callText = ({ typeParameters, parameters, type }) => {
    const generic = typeParameters ? `<${typeParameters.map((each) => each.getText()).join(', ')}>` : ''
    return `${generic}(${parameters.map((each) => each.getText()).join(', ')}) => ${type?.getText() ?? 'void'}`
  }

  function signature(call, declaration) {
    const made = call.declaration
    if (made?.parameters.every((each) => ts.isIdentifier(each.name)) && made.type) {
      const generic = made.typeParameters ? `<${made.typeParameters.map((each) => each.getText()).join(', ')}>` : ''
      return flat(`${generic}(${made.parameters.map((each) => each.getText()).join(', ')}): ${made.type.getText()}`)
    }
    return checker.signatureToString(call, declaration, ts.TypeFormatFlags.NoTruncation)
  }

  return { entry, sentence, link }
}

/** The anchors of the headings: of two that differ only in case, the second gets a number. */
function anchorsOf(parts) {
  const used = new Map()
  const anchors = new Map()
  for (const heading of parts.flatMap(({ title, own }) => [title, ...own.map(({ name }) => name)])) {
    const plain = heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replaceAll(' ', '-')
    const before = used.get(plain) ?? 0
    used.set(plain, before + 1)
    if (!anchors.has(heading)) anchors.set(heading, before === 0 ? plain : `${plain}-${before}`)
  }
  return anchors
}

const typescript = (text) => `\`\`\`ts\n${text}\n\`\`\``
const withoutExport = (text) => text.replace(/^export (?:declare )?/, '')
const withoutComments = (text) => text.replace(/\/\*\*[\s\S]*?\*\//g, '')
