// A fresh home and a folder of 6,000 notes that was never indexed: when a user can type, and when the first answer
// stands there, beside the time it takes to index the text alone, in turn in one run.
// `node bench/first-answer/run.mjs [--runs 3] [--notes 6000]`
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { repository } from '../data.mjs'
import { median } from '../statistics.mjs'
import { generatedVault } from '../vaults/generate.mjs'
import { noteFiles } from '../vaults/note-files.mjs'

const { values: options } = parseArgs({
  options: { runs: { type: 'string', default: '3' }, notes: { type: 'string', default: '6000' } },
})
const program = join(repository, 'dist', 'notewright.js')
if (!existsSync(program)) spawnSync(process.execPath, ['scripts/build.mjs', '--quiet'], { cwd: repository })
if (spawnSync('script', ['--version']).status !== 0) {
  console.log('skipped: there is no script(1) here, which gives a program a terminal')
  process.exit()
}

/** The beginning of an answer without a model that quotes notes. */
const isAnswer = /From your notes:|These passages mention/
const styles = new RegExp(`${String.fromCharCode(27)}\\[[\\d;?]*[A-Za-z]`, 'g')

const scratch = mkdtempSync(join(tmpdir(), 'notewright-bench-first-'))
try {
  const vault = join(scratch, 'vault')
  const { folder } = generatedVault('10k')
  const chosen = noteFiles(folder).sort().slice(0, Number(options.notes))
  for (const file of chosen) {
    const copy = join(vault, relative(folder, file))
    mkdirSync(dirname(copy), { recursive: true })
    cpSync(file, copy)
  }
  // A plain name: one that is a date would be asked about as a day.
  const named = chosen.map((file) => basename(file, '.md')).find((name) => /^[A-Za-z]+ [A-Za-z ]+$/.test(name))
  const question = `what do my notes say about ${named}?`
  const rows = []
  for (let run = 0; run < Number(options.runs); run++) {
    // The order alternates: the second one finds the files in the system's cache.
    const [first, second] = run % 2 === 0 ? [textIndexed, answered] : [answered, textIndexed]
    rows.push({ ...(await first(vault, question)), ...(await second(vault, question)) })
  }
  const seconds = (key) => median(rows.map((row) => row[key])) / 1000
  const ratio = median(rows.map(({ answerMs, textMs }) => answerMs / textMs))
  console.log(`${chosen.length.toLocaleString('en')} notes, median of ${rows.length}`)
  console.log(`text indexed           ${seconds('textMs').toFixed(2)} s, from the start of the process`)
  console.log(
    `prompt                 ${seconds('promptMs').toFixed(2)} s, of which Node alone ${seconds('nodeMs').toFixed(2)} s`,
  )
  console.log(`first answer           ${seconds('answerMs').toFixed(2)} s, asked as soon as there was a prompt`)
  console.log(`answer / text indexed  ${ratio.toFixed(2)}, at most 1.2: ${ratio <= 1.2 ? 'holds' : 'does NOT hold'}`)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

function newHome() {
  return { ...process.env, NOTEWRIGHT_HOME: mkdtempSync(join(scratch, 'home-')), NODE_NO_WARNINGS: '1' }
}

/** Milliseconds until words and links can be searched, vectors left out. */
async function textIndexed(vault) {
  const nothingAt = performance.now()
  spawnSync(process.execPath, ['-e', '0'])
  const startedAt = performance.now()
  const { stdout } = spawnSync(process.execPath, [program, 'index', '--vault', vault, '--json'], {
    encoding: 'utf8',
    env: newHome(),
  })
  const { ms, lexicalMs } = JSON.parse(stdout)
  return { textMs: performance.now() - startedAt - (ms - lexicalMs), nodeMs: startedAt - nothingAt }
}

/** Types the question at the first prompt, as a user would. */
function answered(vault, question) {
  const command = [process.execPath, program, 'chat', '-m', 'offline', '--vault', vault].map(quoted).join(' ')
  const startedAt = performance.now()
  const terminal = spawn('script', ['-qfec', command, '/dev/null'], {
    env: { ...newHome(), TERM: 'xterm', COLUMNS: '100' },
  })
  return new Promise((resolve, reject) => {
    let shown = ''
    let promptMs
    terminal.stdout.on('data', (data) => {
      shown += data
      const now = performance.now() - startedAt
      if (promptMs === undefined && shown.includes('› ')) {
        promptMs = now
        shown = ''
        terminal.stdin.write(`${question}\r`)
      } else if (promptMs !== undefined && isAnswer.test(shown.replace(styles, ''))) {
        resolve({ promptMs, answerMs: now })
        // Twice Ctrl-C leaves.
        terminal.stdin.write('\u0003\u0003')
        terminal.stdin.end()
      }
    })
    terminal.on('exit', (code) => reject(new Error(`chat ended with ${code} before it answered: ${shown.slice(-300)}`)))
  }).finally(() => new Promise((resolve) => (terminal.exitCode === null ? terminal.once('exit', resolve) : resolve())))
}

function quoted(word) {
  return `'${word.replaceAll("'", "'\\''")}'`
}
