// Judges answers without a language model: how many quote a note that answers the question, whether a quotation holds
// anything but words, and how many admit that the notes do not answer when asked the questions of the other vaults.
// `node bench/offline/run.mjs [--vaults FOLDER] [--vault NAME] [--all] [--own]`
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
    /** Ask each vault its own questions alone. */
    own: { type: 'boolean', default: false },
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
  languageOf,
  languages,
  offlineModel,
  openFolderNotebook,
  quotableTexts,
  run,
  selectPassages,
  sessionOn,
  stateFolders,
  termsOf,
} = await bundled(
  'src/core/agent/index.ts',
  'src/core/config/index.ts',
  'src/core/model/index.ts',
  'src/core/offline/index.ts',
  'src/core/offline/languages/languages.ts',
  'src/core/offline/passages.ts',
  'src/core/offline/terms.ts',
  'src/core/offline/tool-results.ts',
  'src/core/tools/index.ts',
  'src/hosts/node/open-notebook.ts',
  'src/hosts/node/state-folders.ts',
  'test/session/session-on.ts',
)

const allQuestions = readFileSync(join(dataFolder, 'vault-questions', 'queries.jsonl'), 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line, at) => ({ ...JSON.parse(line), isOdd: at % 2 === 0 }))
  .filter(({ kind }) => kind === 'question')
const questions = allQuestions.filter(({ vault }) => options.vault?.includes(vault) ?? true)
const judged = []
for (const vault of new Set(questions.map((question) => question.vault))) {
  const folder = folderOf(vault)
  if (folder === undefined) {
    console.log(`${vault}: left out, its notes are not on this machine`)
    continue
  }
  const asked = allQuestions.filter((question) => question.vault === vault || !options.own)
  judged.push(...(await answersOn(vault, folder, asked)))
}
const own = judged.filter(({ isOwn }) => isOwn)
for (const answer of own) if (options.all || !answer.isFound || answer.unclean.length > 0) show(answer)
console.log(`\n${'vault'.padEnd(24)}answers   grade 3 quoted   with markup   not verbatim`)
for (const vault of new Set(own.map((answer) => answer.vault))) {
  row(
    vault,
    own.filter((answer) => answer.vault === vault),
  )
}
const isPacked = ({ vault }) => hasData('vaults', `${vault}.tar.gz`)
row('packed vaults', own.filter(isPacked))
row(
  'packed, odd lines',
  own.filter((answer) => isPacked(answer) && answer.isOdd),
)
row('all', own)
if (!options.own) showAdmissions()

/**
 * A question of another vault counts as one that the notes do not answer, although some do. `refused` quotes nothing,
 * `partly` quotes below a sentence that says what was not found. Admitted is either.
 */
function showAdmissions() {
  console.log(
    `\n${'asked in'.padEnd(14)}own: refused  partly   others': refused  partly  admitted   (and right language)`,
  )
  const vaults = [...new Set(judged.map(({ vault }) => vault))]
  for (const vault of [...vaults, 'all']) {
    const here = judged.filter((answer) => vault === 'all' || answer.vault === vault)
    const share = (answers, isCounted) =>
      answers.length === 0 ? '–' : `${((100 * answers.filter(isCounted).length) / answers.length).toFixed(1)} %`
    const mine = here.filter(({ isOwn }) => isOwn)
    const others = here.filter(({ isOwn }) => !isOwn)
    const alike = others.filter(({ language, vault: asked }) => language === languageOfVault(asked))
    const isNone = ({ level }) => level === 'none'
    const isPart = ({ level }) => level === 'part'
    const isAdmitted = ({ level }) => level !== 'full'
    const cells = [
      share(mine, isNone).padStart(11),
      share(mine, isPart).padStart(8),
      share(others, isNone).padStart(16),
    ]
    cells.push(
      share(others, isPart).padStart(8),
      share(others, isAdmitted).padStart(9),
      share(alike, isAdmitted).padStart(12),
    )
    console.log(`${vault.padEnd(14)}${cells.join('')}`)
  }
  showLeftOut(vaults)
}

/** Bounds chosen on the other vaults, for each script: 90 % of others' questions admitted, 5 % of own ones refused. */
function showLeftOut(vaults) {
  const counts = { admitted: 0, others: 0, refused: 0, partly: 0, own: 0 }
  const bounds = []
  for (const isUnspaced of [false, true]) {
    const answers = judged.filter((answer) => answer.isUnspaced === isUnspaced)
    for (const vault of vaults) {
      const rest = answers.filter((answer) => answer.vault !== vault && answer.from !== vault)
      const here = answers.filter((answer) => answer.vault === vault)
      const restOwn = rest.filter(({ isOwn }) => isOwn)
      // A script that only this vault uses has nothing to choose on.
      if (restOwn.length === 0) continue
      const part = quantile(restOwn, 0.05)
      const full = quantile(
        rest.filter(({ isOwn }) => !isOwn),
        0.9,
      )
      bounds.push([part, full])
      for (const { isOwn, evidence } of here) {
        counts[isOwn ? 'own' : 'others']++
        if (!isOwn && evidence <= full) counts.admitted++
        if (isOwn && evidence < part) counts.refused++
        else if (isOwn && evidence <= full) counts.partly++
      }
    }
  }
  const percent = (count, of) => `${((100 * count) / Math.max(1, of)).toFixed(1)} %`
  const range = (at) =>
    `${Math.min(...bounds.map((each) => each[at])).toFixed(2)} to ${Math.max(...bounds.map((each) => each[at])).toFixed(2)}`
  if (bounds.length === 0) return
  console.log(
    `\nbounds chosen on the other vaults: ${percent(counts.admitted, counts.others)} of others' questions admitted, ` +
      `${percent(counts.refused, counts.own)} of own ones refused, ${percent(counts.partly, counts.own)} answered partly ` +
      `(part from ${range(0)}, full from ${range(1)})`,
  )
}

function quantile(answers, share) {
  const sorted = answers.map(({ evidence }) => evidence).sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}

/** The language of most of a vault's own questions. */
function languageOfVault(vault) {
  const codes = allQuestions.filter((question) => question.vault === vault).map(({ query }) => languageOf(query).code)
  return codes.sort((a, b) => codes.filter((code) => code === b).length - codes.filter((code) => code === a).length)[0]
}

/** Packed in the data folder, or fetched by hand. The help vault is kept once for each language. */
function folderOf(vault) {
  if (hasData('vaults', `${vault}.tar.gz`)) return unpackVault(vault)
  const folder = options.vaults === undefined ? '' : join(options.vaults, vault)
  if (folder === '' || !existsSync(folder)) return undefined
  return vault === 'help' && existsSync(join(folder, 'en')) ? join(folder, 'en') : folder
}

async function answersOn(vault, root, asked) {
  const home = mkdtempSync(join(tmpdir(), 'notewright-bench-offline-'))
  const environment = { NOTEWRIGHT_HOME: home }
  const folders = stateFolders({ environment, platform: process.platform, home, currentFolder: home })
  const notebook = await openFolderNotebook({ root, config: configSchema.parse({}), folders })
  try {
    await notebook.update()
    const { setup } = await sessionOn(notebook, { home })
    const answers = []
    for (const question of asked) {
      answers.push(judge({ ...question, from: question.vault, vault }, await answerTo(question.query, setup)))
    }
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
  const results = []
  for await (const event of run({ id: 'turn', text, mode: 'agent' }, agent)) {
    if (event.type === 'citations') citations = event.citations
    if (event.type === 'tool-result') {
      const { call, result } = event
      results.push({ name: call.name, input: call.input, text: result.text, isError: !result.ok })
    }
    if (event.type === 'run-end') answer = event.text
  }
  return { answer, citations, results }
}

function judge(question, { answer, citations, results }) {
  const language = languageOf(question.query)
  const { evidence } = selectPassages(termsOf(question.query, language), quotableTexts(results))
  const hasQuotation = answer.split('\n').some((line) => /^- /.test(line))
  const isFull = languages.some(({ say }) => answer.startsWith(say.fromNotes))
  const quoted = citations.filter(({ quote }) => quote !== undefined)
  const best = Object.keys(question.relevant).filter((path) => question.relevant[path] === 3)
  return {
    ...question,
    isOwn: question.from === question.vault,
    language: language.code,
    isUnspaced: language.isUnspaced === true,
    evidence,
    level: isFull ? 'full' : hasQuotation ? 'part' : 'none',
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
