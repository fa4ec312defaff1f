// Judges answers without a language model: how many quote a note that answers the question, and whether a
// quotation holds anything but words. `node bench/offline/run.mjs [--vaults FOLDER] [--vault NAME] [--all]`
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { bundled } from '../bundled.mjs'
import { dataFolder, hasData } from '../data.mjs'
import { unpackVault } from '../vaults/unpack.mjs'
import { markupIn } from './markup-in.mjs'

const { values: options } = parseArgs({
  options: {
    /** Folder that holds the fetched vaults, each under its name. */
    vaults: { type: 'string', default: process.env.NOTEWRIGHT_QUESTION_VAULTS },
    vault: { type: 'string', multiple: true },
    /** Print every answer, not only those that fail. */
    all: { type: 'boolean', default: false },
  },
})
if (!hasData('vault-questions', 'queries.jsonl')) {
  console.log('skipped: the data folder has no vault-questions')
  process.exit()
}
const {
  builtInTools,
  configSchema,
  defaultProfile,
  offlineModel,
  openFolderNotebook,
  run,
  sessionOn,
  stateFolders,
} = await bundled(
  'src/core/agent/index.ts',
  'src/core/config/index.ts',
  'src/core/model/index.ts',
  'src/core/offline/index.ts',
  'src/core/tools/index.ts',
  'src/hosts/node/open-notebook.ts',
  'src/hosts/node/state-folders.ts',
  'test/session/session-on.ts',
)

const questions = readFileSync(join(dataFolder, 'vault-questions', 'queries.jsonl'), 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line, at) => ({ ...JSON.parse(line), isOdd: at % 2 === 0 }))
  .filter(({ kind, vault }) => kind === 'question' && (options.vault?.includes(vault) ?? true))
const judged = []
for (const vault of new Set(questions.map((question) => question.vault))) {
  const folder = folderOf(vault)
  if (folder === undefined) console.log(`${vault}: left out, its notes are not on this machine`)
  else
    judged.push(
      ...(await answersOn(
        folder,
        questions.filter((question) => question.vault === vault),
      )),
    )
}
for (const answer of judged) if (options.all || !answer.isFound || answer.unclean.length > 0) show(answer)
console.log(`\n${'vault'.padEnd(24)}answers   grade 3 quoted   with markup   not verbatim`)
for (const vault of new Set(judged.map((answer) => answer.vault))) {
  row(
    vault,
    judged.filter((answer) => answer.vault === vault),
  )
}
const isPacked = ({ vault }) => hasData('vaults', `${vault}.tar.gz`)
row('packed vaults', judged.filter(isPacked))
row(
  'packed, odd lines',
  judged.filter((answer) => isPacked(answer) && answer.isOdd),
)
row('all', judged)

/** Packed in the data folder, or fetched by hand. The help vault is kept once for each language. */
function folderOf(vault) {
  if (hasData('vaults', `${vault}.tar.gz`)) return unpackVault(vault)
  const folder = options.vaults === undefined ? '' : join(options.vaults, vault)
  if (folder === '' || !existsSync(folder)) return undefined
  return vault === 'help' && existsSync(join(folder, 'en')) ? join(folder, 'en') : folder
}

async function answersOn(root, asked) {
  const home = mkdtempSync(join(tmpdir(), 'notewright-bench-offline-'))
  const environment = { NOTEWRIGHT_HOME: home }
  const folders = stateFolders({ environment, platform: process.platform, home, currentFolder: home })
  const notebook = await openFolderNotebook({ root, config: configSchema.parse({}), folders })
  try {
    await notebook.update()
    const { setup } = await sessionOn(notebook, { home })
    const answers = []
    for (const question of asked) answers.push(judge(question, await answerTo(question.query, setup)))
    return answers
  } finally {
    await notebook.close()
    rmSync(home, { recursive: true, force: true })
  }
}

async function answerTo(text, tools) {
  const agent = {
    model: offlineModel(),
    modelName: 'offline',
    profile: defaultProfile,
    tools,
    toolset: builtInTools.filter(({ offByDefault }) => !offByDefault),
    signal: new AbortController().signal,
  }
  let answer
  let citations = []
  for await (const event of run({ id: 'turn', text, mode: 'agent' }, agent)) {
    if (event.type === 'citations') citations = event.citations
    if (event.type === 'run-end') answer = event.text
  }
  return { answer, citations }
}

function judge(question, { answer, citations }) {
  const quoted = citations.filter(({ quote }) => quote !== undefined)
  const best = Object.keys(question.relevant).filter((path) => question.relevant[path] === 3)
  return {
    ...question,
    answer,
    best,
    isFound: quoted.some(({ path }) => best.includes(path)),
    // All that is said of a note, the quotation and the words around it.
    unclean: answer.split('\n').filter((line) => /^- .*(\]\]|\))$/.test(line) && markupIn(line).length > 0),
    differing: quoted.filter(({ check }) => check !== 'verbatim').length,
  }
}

function show({ id, query, best, isFound, unclean, answer }) {
  const faults = [isFound ? '' : 'NOT QUOTED', unclean.length > 0 ? 'MARKUP' : ''].filter(Boolean).join(', ')
  console.log(`\n${id} ${query}\n  ${faults || 'fine'}; wanted ${best.join(' or ')}`)
  for (const line of answer.split('\n').filter((line) => /^- |^\*\*/.test(line))) {
    console.log(`  ${line}${unclean.includes(line) ? `   <- ${markupIn(line).join(' ')}` : ''}`)
  }
}

function row(name, answers) {
  const found = answers.filter(({ isFound }) => isFound).length
  const share = answers.length === 0 ? '–' : `${((100 * found) / answers.length).toFixed(1)} %`
  const unclean = answers.filter(({ unclean }) => unclean.length > 0).length
  const differing = answers.reduce((sum, answer) => sum + answer.differing, 0)
  const cells = [String(answers.length).padStart(7), `${found} (${share})`.padStart(17), String(unclean).padStart(14)]
  console.log(`${name.padEnd(24)}${cells.join('')}${String(differing).padStart(15)}`)
}
