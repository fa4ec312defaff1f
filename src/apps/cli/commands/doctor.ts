import { constants } from 'node:fs'
import { access, lstat, readdir, readFile, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { type Config, journalBytes } from '../../../core/config/index.js'
import { Failure } from '../../../core/errors.js'
import { recoveredSentence, undecidedSentence, wasRecoveredRecently } from '../../../core/index/index.js'
import { bytes, count } from '../../../core/text/index.js'
import { decodeRules } from '../../../core/vault/index.js'
import { accessKeys } from '../../../hosts/node/access-keys.js'
import { installedCodex } from '../../../hosts/node/codex/open-codex.js'
import { nodeFiles } from '../../../hosts/node/files/node-files.js'
import { describeLock } from '../../../hosts/node/lock/lock.js'
import { type FolderNotebook, openFolderNotebook } from '../../../hosts/node/open-notebook.js'
import type { LoadedSettings } from '../../../hosts/node/settings/settings.js'
import { stateFolders, vaultFolders } from '../../../hosts/node/state-folders.js'
import { withCommand } from '../program/failures.js'
import { examples } from '../program/help.js'
import type { DeclareCommand, Invocation } from '../program/invocation.js'
import { locateVault, readSettings } from '../session/settings.js'
import { type Style, terminalText } from '../terminal/terminal.js'
import { wrapToWidth } from '../terminal/text-width.js'

export const declareDoctor: DeclareCommand = (command, run) => {
  command
    .addHelpText('after', examples(['notewright doctor'], ['notewright doctor --vault ~/Notes --json']))
    .action(() => run((to) => doctor(to)))
}

export async function doctor(invocation: Invocation): Promise<void> {
  const { terminal, surroundings } = invocation
  const findings = [checkNode(process.versions.node)]
  const setting = await orFinding('Configuration', () => readSettings(invocation))
  if (isFinding(setting)) findings.push(setting)
  else findings.push(...(await checkSetting(invocation, setting)))
  findings.push(await checkModelServers(surroundings.environment))
  if (!isFinding(setting))
    findings.push(
      await checkCodex({ environment: surroundings.environment, state: setting.folders.state }, setting.config),
    )

  const failed = findings.filter(({ state }) => state === 'fail').length
  if (terminal.json) {
    const checks = findings.map(({ subject, state, text, advice }) => ({ check: subject, state, text, advice }))
    terminal.printJson({ ok: failed === 0, checks })
  } else {
    for (const finding of findings) terminal.print(showFinding(finding, terminal.style, terminal.width))
  }
  if (failed > 0) process.exitCode = 1
}

async function checkSetting(invocation: Invocation, setting: LoadedSettings): Promise<Finding[]> {
  const { configFile, state, cache } = setting.folders
  const findings: Finding[] = [{ subject: 'Configuration', state: 'ok', text: configFile }]
  const found = await orFinding('Vault', () => locateVault(invocation, setting))
  if (isFinding(found)) {
    findings.push(found)
  } else {
    findings.push(await checkVault(found.root, found.from))
    const { journal } = vaultFolders(stateFolders(invocation.surroundings), found.root)
    if (findings.every(({ state }) => state !== 'fail')) {
      findings.push(...(await checkNotebook(found.root, journal, setting)))
    } else findings.push(await checkJournal(journal, setting.config))
    findings.push(...(await checkLock(journal)))
  }
  findings.push(await checkPermissions([configFile, state, cache]))
  findings.push(...(await checkServe(setting.config, state)))
  return findings
}

async function checkNotebook(root: string, journal: string, { config, folders }: LoadedSettings): Promise<Finding[]> {
  const notebook = await orFinding('Index', () => openFolderNotebook({ root, config, folders }))
  if (isFinding(notebook)) return [notebook, await checkJournal(journal, config)]
  try {
    const visible = await orFinding('Exclusions', () => notebook.vault.files())
    if (isFinding(visible)) return [visible, await checkJournal(journal, config)]
    const history = await orFinding('Journal', () => notebook.history())
    const damaged = isFinding(history) ? [] : history.filter(({ state }) => state === 'damaged')
    return [
      ...(notebook.trouble === undefined ? [] : [{ subject: 'State', state: 'fail' as const, text: notebook.trouble }]),
      await checkExclusions(root, config, visible.length),
      ...(await checkIndex(notebook)),
      ...(await checkUndecided(notebook)),
      isFinding(history)
        ? history
        : await checkJournal(
            journal,
            config,
            damaged.map(({ title }) => title),
          ),
    ]
  } finally {
    await notebook.close()
  }
}

/** Changes that were cut off and wait for a decision, and files they have left. */
async function checkUndecided(notebook: FolderNotebook): Promise<Finding[]> {
  const subject = 'Changes'
  const waiting = await orFinding(subject, () => notebook.undecidedChanges())
  if (isFinding(waiting)) return [waiting]
  const strays = await notebook.strayFiles()
  const recovered = (await notebook.history()).filter((entry) => wasRecoveredRecently(entry))
  const findings: Finding[] = waiting.map((entry) => ({
    subject,
    state: 'warn',
    text: undecidedSentence(entry),
    advice: 'To decide: notewright recover',
  }))
  if (strays.length > 0) {
    const advice = 'Run notewright recover to remove files with known content. Check the others, then delete them.'
    findings.push({ subject, state: 'warn', text: `leftover files in the vault: ${strays.join(', ')}`, advice })
  }
  for (const entry of recovered) findings.push({ subject, state: 'ok', text: recoveredSentence(entry) })
  return findings.length > 0 ? findings : [{ subject, state: 'ok', text: 'none interrupted' }]
}

async function checkIndex(notebook: FolderNotebook): Promise<Finding[]> {
  const subject = 'Index'
  const status = await orFinding(subject, () => notebook.status())
  if (isFinding(status)) return [{ ...status, advice: 'Rebuild it: notewright index --rebuild' }]
  const { notes, freshness, indexBytes, skipped, vectorsLostBy } = status
  const leftOut = checkSkipped(skipped)
  if (notes === 0) return [{ subject, state: 'warn', text: 'empty', advice: 'Build it: notewright index' }, ...leftOut]
  const why = vectorsLostBy === undefined ? '' : ` (${vectorsLostBy})`
  const text = `${count(notes, 'note')}, ${bytes(indexBytes)}, ${freshness}${why}`
  const isFresh = freshness === 'fresh'
  const advice = isFresh ? {} : { advice: 'Update it: notewright index' }
  return [{ subject, state: isFresh ? 'ok' : 'warn', text, ...advice }, ...leftOut]
}

/** A failed check is a line of the report, not the end of it. */
async function orFinding<T>(subject: string, check: () => Promise<T>): Promise<T | Finding> {
  try {
    return await check()
  } catch (error) {
    const { hint, command } = error instanceof Failure ? error.details : {}
    const advice = hint && withCommand(hint, command)
    return { subject, state: 'fail', text: (error as Error).message, ...(advice && { advice }) }
  }
}

function isFinding(value: unknown): value is Finding {
  return typeof value === 'object' && value !== null && 'subject' in value && 'state' in value && 'text' in value
}

function showFinding({ subject, state, text, advice }: Finding, style: Style, width: number): string {
  const mark = { ok: style.good('ok  '), warn: style.warning('warn'), fail: style.bad('fail') }[state]
  const indent = ' '.repeat(20)
  const body = terminalText(text)
    .split('\n')
    .flatMap((line) => wrapToWidth(line, width - indent.length))
  const hint = advice === undefined ? [] : wrapToWidth(terminalText(advice), width - indent.length)
  const lines = [...body, ...hint.map((line) => style.faint(line))]
  return `${mark}  ${subject.padEnd(14)}${lines.join(`\n${indent}`)}`
}

/** One line of the doctor's report. */
export interface Finding {
  /** The subject of the check: "Node.js". */
  subject: string
  state: 'ok' | 'warn' | 'fail'
  text: string
  /** Advice for the user. */
  advice?: string | undefined
}

/** True if the vault can be read and written. Only asks; nothing is written. */
export async function checkVault(root: string, from: string): Promise<Finding> {
  const subject = 'Vault'
  if (!(await can(root, constants.R_OK | constants.X_OK))) {
    return { subject, state: 'fail', text: `${root} is not readable`, advice: 'Check the permissions of the folder.' }
  }
  if (!(await can(root, constants.W_OK))) {
    const advice = 'You can search, but not change notes. Check the permissions of the folder.'
    return { subject, state: 'warn', text: `${root} is not writable (from ${from})`, advice }
  }
  return { subject, state: 'ok', text: `${root} (from ${from})` }
}

/** Reports the patterns that hide notes, and the number of hidden files. */
export async function checkExclusions(root: string, config: Config, visible: number): Promise<Finding> {
  const subject = 'Exclusions'
  const inVault = await readFile(join(root, '.notewrightignore')).then(decodeRules, () => '')
  const fromVault = (inVault ?? '')
    .split(/\r\n?|\n/)
    .filter((line) => line.trim() !== '' && !line.startsWith('#')).length
  const sources = [
    fromVault > 0 ? `${count(fromVault, 'pattern')} in .notewrightignore` : '',
    config.exclude.length > 0 ? `${count(config.exclude.length, 'pattern')} in the configuration` : '',
  ].filter((source) => source !== '')
  if (sources.length === 0)
    return { subject, state: 'ok', text: 'none; to hide a note, add the property `private: true`' }
  const hidden = Math.max(0, (await countFiles(root)) - visible)
  return { subject, state: 'ok', text: `${sources.join(', ')}: ${count(hidden, 'file')} hidden` }
}

const mostNamed = 50

/** Files and folders the last look at the vault could not read, each with its reason; nothing when there are none. */
export function checkSkipped(skipped: readonly { path: string; reason: string }[]): Finding[] {
  if (skipped.length === 0) return []
  const named = skipped.slice(0, mostNamed).map(({ path, reason }) => `${path}: ${reason}`)
  const more = skipped.length > mostNamed ? [`… and ${skipped.length - mostNamed} more (notewright index --json)`] : []
  const text = [`${count(skipped.length, 'file or folder', 'files and folders')}:`, ...named, ...more].join('\n')
  const advice = 'Searches and lists skip them until they can be read.'
  return [{ subject: 'Skipped', state: 'warn', text, advice }]
}

/** Regular files outside dot folders, as the vault would list them without exclusions. */
async function countFiles(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  let files = 0
  for (const entry of entries) {
    if (entry.name.startsWith('.')) continue
    if (entry.isDirectory()) files += await countFiles(join(folder, entry.name))
    else if (entry.isFile()) files++
  }
  return files
}

async function can(path: string, mode: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  )
}

/** Reports the journal's size and limit, free disk space, and damaged rows. */
export async function checkJournal(folder: string, config: Config, damaged: readonly string[] = []): Promise<Finding> {
  const subject = 'Journal'
  const used = (await filesBelow(folder)).reduce((sum, { size }) => sum + size, 0)
  const limit = journalBytes(config)
  const free = await freeSpace(folder)
  const text = `${bytes(used)} of ${bytes(limit)}, keeps ${config.journal.days} days and at least ${count(config.journal.changes, 'change')}; ${bytes(free)} free on the disk`
  if (free < 50_000_000) {
    return { subject, state: 'fail', text, advice: 'Free some disk space. Notes cannot be changed safely without it.' }
  }
  if (free < limit - used) {
    const advice = 'The disk may fill up before the journal reaches its limit. Lower journal.megabytes.'
    return { subject, state: 'warn', text, advice }
  }
  if (damaged.length > 0) {
    const advice = 'All other changes can be undone. The disk may be failing: back up your notes.'
    return { subject, state: 'warn', text: [text, ...damaged].join('\n'), advice }
  }
  return { subject, state: 'ok', text }
}

/** Reports a lock that will not be released automatically. */
export async function checkLock(folder: string): Promise<Finding[]> {
  const wrong = await describeLock(nodeFiles, folder)
  return wrong === undefined ? [] : [{ subject: 'Lock', state: 'fail', ...wrong }]
}

/** Reports whether other users of this machine could read Notewright's files. */
export async function checkPermissions(places: string[]): Promise<Finding> {
  const subject = 'Permissions'
  if (process.platform === 'win32') return { subject, state: 'ok', text: 'not checked on Windows' }
  const open: string[] = []
  let looked = 0
  for (const place of places) {
    for (const { path, mode } of await filesBelow(place)) {
      looked++
      if ((mode & 0o077) !== 0) open.push(path)
    }
  }
  if (looked === 0) return { subject, state: 'ok', text: 'no files yet' }
  if (open.length === 0) return { subject, state: 'ok', text: `${looked} files and folders, readable only by you` }
  const others = open.length > 1 ? ` and ${open.length - 1} more` : ''
  const text = `${open[0]}${others} can be read by other users`
  const quoted = places.map((place) => `'${place.replaceAll("'", "'\\''")}'`).join(' ')
  return { subject, state: 'warn', text, advice: `chmod -R go-rwx ${quoted}` }
}

interface Entry {
  path: string
  size: number
  mode: number
}

/** The place itself and everything below it; nothing when it is not there. Links are not followed. */
async function filesBelow(place: string): Promise<Entry[]> {
  const found = await lstat(place).catch(() => undefined)
  if (found === undefined || found.isSymbolicLink()) return []
  const self = { path: place, size: found.isDirectory() ? 0 : found.size, mode: found.mode }
  if (!found.isDirectory()) return [self]
  const names = await readdir(place).catch(() => [])
  const inside = await Promise.all(names.map((name) => filesBelow(join(place, name))))
  return [self, ...inside.flat()]
}

/** Checks the nearest existing folder, since state folders are created on first use. */
async function freeSpace(folder: string): Promise<number> {
  for (let place = folder; ; place = dirname(place)) {
    const disk = await statfs(place).catch(() => undefined)
    if (disk !== undefined) return disk.bavail * disk.bsize
    if (place === dirname(place)) return 0
  }
}

const [neededMajor, neededMinor] = [20, 19]

export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isEnough = major > neededMajor || (major === neededMajor && minor >= neededMinor)
  return isEnough
    ? { subject: 'Node.js', state: 'ok', text: version }
    : {
        subject: 'Node.js',
        state: 'fail',
        text: `${version} is too old`,
        advice: `Install Node.js ${neededMajor}.${neededMinor} or newer.`,
      }
}

const servers = [
  { name: 'Ollama', port: 11434 },
  { name: 'LM Studio', port: 1234 },
]

/** True if a local model server seems to run. Reads the system's list of listening ports; connects to nothing. */
export async function checkModelServers(environment: Record<string, string | undefined>): Promise<Finding> {
  const subject = 'Local models'
  const host = environment.OLLAMA_HOST ? `OLLAMA_HOST is set` : ''
  if (process.platform !== 'linux') {
    return {
      subject,
      state: 'ok',
      text: [host, 'not checked on this system'].filter(Boolean).join('; '),
    }
  }
  const tables = await Promise.all(
    ['/proc/net/tcp', '/proc/net/tcp6'].map((file) => readFile(file, 'utf8').catch(() => '')),
  )
  const ports = listeningPorts(tables.join('\n'))
  const found = servers.filter(({ port }) => ports.has(port)).map(({ name, port }) => `${name} (port ${port})`)
  const text = found.length > 0 ? `probably running: ${found.join(', ')}` : 'Ollama and LM Studio are not running'
  return { subject, state: 'ok', text: [text, host].filter(Boolean).join('; ') }
}

/** From lines such as `0: 0100007F:2CAA 00000000:0000 0A …`: local address, remote address, state 0A = listening. */
export function listeningPorts(table: string): Set<number> {
  const ports = new Set<number>()
  for (const [, port = ''] of table.matchAll(/^\s*\d+: [0-9A-F]+:([0-9A-F]{4}) [0-9A-F]+:[0-9A-F]{4} 0A /gm)) {
    ports.add(Number.parseInt(port, 16))
  }
  return ports
}

/** Checks models named `codex/…`. Asks the program for its version and connects to nothing. */
export async function checkCodex(
  { environment, state }: { environment: Record<string, string | undefined>; state: string },
  { codex, model }: Pick<Config, 'codex' | 'model'>,
): Promise<Finding> {
  const subject = 'Codex'
  try {
    const { command, version, callsTools, isApproved } = await installedCodex({ environment, state, settings: codex })
    if (!isApproved) {
      const text = `at ${command}; not started, because its command is not approved`
      return { subject, state: 'ok', text: `${text} (to approve: notewright programs approve codex)` }
    }
    const way = callsTools ? 'native tool calls' : 'tool calls as text'
    const own = codex.tools.length === 0 ? '' : `; built-in tools: ${codex.tools.join(', ')}`
    return { subject, state: 'ok', text: `${version || 'unknown version'} at ${command}; ${way}${own}` }
  } catch (error) {
    const isWanted = codex.path !== undefined || /^codex(\/|$)/.test(model)
    if (!isWanted) return { subject, state: 'ok', text: 'not installed; needed only for codex/… models' }
    if (!(error instanceof Failure)) return { subject, state: 'fail', text: `can't be started: ${firstLine(error)}` }
    return { subject, state: 'fail', text: error.message, advice: error.details.hint }
  }
}

const firstLine = (error: unknown) => (error as Error).message.split('\n')[0]

/** Checks that `notewright serve` could start: its port is free, and its keys are private. */
export async function checkServe({ serve }: Pick<Config, 'serve'>, state: string): Promise<Finding[]> {
  return [await checkPort(serve.port), await checkKeys(state)]
}

async function checkPort(port: number): Promise<Finding> {
  const subject = 'Server port'
  if (port === 0) return { subject, state: 'ok', text: 'any free port' }
  const error = await whyNot(port)
  if (error === undefined) return { subject, state: 'ok', text: `${port} is free` }
  if (error !== 'EADDRINUSE') {
    return {
      subject,
      state: 'warn',
      text: `can't open port ${port} (${error})`,
      advice: 'Choose another port: notewright config set serve.port 8428',
    }
  }
  const advice = 'If notewright serve is not running, choose another port: notewright config set serve.port 8428'
  return { subject, state: 'warn', text: `${port} is in use`, advice }
}

/** Opens the port for a moment; returns the system's error. */
function whyNot(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(undefined)))
  })
}

/** Keys are stored as hashes, in a folder that only the user can read. */
async function checkKeys(state: string): Promise<Finding> {
  const subject = 'Access keys'
  const folder = join(state, 'serve')
  // Usually the folder is not there yet.
  const found = await lstat(folder).catch(() => undefined)
  if (found === undefined) return { subject, state: 'ok', text: 'created at the first start of notewright serve' }
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0) {
    return { subject, state: 'fail', text: `${folder} can be read by other users`, advice: `chmod 700 '${folder}'` }
  }
  const keys = accessKeys(state)
  const amount = keys.list().length
  keys.close()
  return { subject, state: 'ok', text: `${amount} active (list: notewright serve keys list)` }
}
