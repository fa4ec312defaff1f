import { execFile } from 'node:child_process'
import { access, constants, mkdir, stat } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'
import { promisify } from 'node:util'
import { type LanguageModelV3, modelFailure } from '../../../core/model/index.js'
import { approvedPrograms, type ProgramStart } from '../approved-programs.js'
import { type Supervisor, supervisor } from './app-server.js'
import { codexModel, readCodexTools } from './codex-model.js'
import { codexContext } from './failures.js'
import { type PausedTurns, pausedTurns } from './turn.js'

interface CodexLocation {
  environment: Readonly<Record<string, string | undefined>>
  /** Notewright's state folder. */
  state: string
  settings: CodexSettings
}

export interface CodexSettings {
  path?: string | undefined
  tools: readonly string[]
  environment: readonly string[]
}

/** How long Codex waits for a tool result, since the user may have to approve it first. */
const resultTimeoutMs = 30 * 60_000

interface SharedProcess {
  supervisor: Supervisor
  parked: PausedTurns
}

/** One process is shared by all models with the same Codex and environment. */
const sharedProcesses = new Map<string, SharedProcess>()

/** Opens a model of the user's Codex by name; the empty name means Codex's default. Starts no process yet. */
export async function openCodex(modelId: string, place: CodexLocation): Promise<LanguageModelV3> {
  const { environment, settings, state } = place
  const allowed = readCodexTools(settings.tools)
  const program = await codexProgram(place)
  await approvedPrograms(state).require(program)
  await mkdir(program.cwd, { recursive: true, mode: 0o700 })
  const clean = cleanEnvironment(environment, settings.environment)
  const { supervisor, parked } = sharedProcess(program, clean, state)
  return codexModel(modelId, { server: () => supervisor.server(), parked, allowed, folder: program.cwd })
}

/** The user's Codex as it would be started, for approval. */
export async function codexProgram({ environment, state, settings }: CodexLocation): Promise<ProgramStart> {
  const command = await findCodex(environment, settings.path)
  const env = Object.fromEntries(settings.environment.map((name) => [name, `\${${name}}`]))
  return { id: 'codex', argv: [command, 'app-server'], cwd: join(state, 'codex-folder'), env }
}

function sharedProcess(program: ProgramStart, environment: Record<string, string>, state: string): SharedProcess {
  const key = JSON.stringify([program, Object.entries(environment).sort()])
  const known = sharedProcesses.get(key)
  if (known !== undefined) return known
  const launch = async () => {
    // Its approval may have been withdrawn since it was first started.
    await approvedPrograms(state).require(program)
    const [command = '', ...words] = program.argv
    return { command, arguments: words, environment, cwd: program.cwd }
  }
  const started = { supervisor: supervisor(launch), parked: pausedTurns(resultTimeoutMs) }
  sharedProcesses.set(key, started)
  return started
}

type Environment = Readonly<Record<string, string | undefined>>

/** Finds the user's Codex: the path in the settings, otherwise the first one on PATH. */
export async function findCodex(environment: Environment, configured?: string): Promise<string> {
  const home = environment.HOME ?? ''
  const wanted = configured?.replace(/^~(?=[/\\])/, home)
  if (wanted !== undefined) {
    if (await isProgram(wanted)) return wanted
    throw notFound(`Codex not found at ${wanted} (setting codex.path).`)
  }
  const names = process.platform === 'win32' ? ['codex.exe'] : ['codex']
  for (const folder of (environment.PATH ?? '').split(delimiter)) {
    // A relative PATH entry could find a program in the current folder, which may be a vault.
    if (!isAbsolute(folder)) continue
    for (const name of names) if (await isProgram(join(folder, name))) return join(folder, name)
  }
  throw notFound('Codex is not installed.')
}

function notFound(message: string) {
  return modelFailure('unreachable', codexContext(''), message, {
    hint: 'Install it with npm install -g @openai/codex and sign in with codex login. If it is installed elsewhere: notewright config set codex.path PATH',
  })
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}

/** The first version whose dynamic tools we support; earlier ones use text, which all understand. */
const callsToolsFrom = [0, 166] as const

/** True if a version of Codex calls our tools itself. */
export function callsTools(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10))
  return major > callsToolsFrom[0] || (major === callsToolsFrom[0] && minor >= callsToolsFrom[1])
}

interface InstalledCodex {
  command: string
  /** False: the user has not approved its command, so that it was not even asked for its version. */
  isApproved: boolean
  version: string
  callsTools: boolean
}

/** The user's Codex, asked for its version where they have approved it. Connects to nothing. */
export async function installedCodex(place: CodexLocation): Promise<InstalledCodex> {
  const { environment, state } = place
  const program = await codexProgram(place)
  const [command = ''] = program.argv
  const isApproved = await approvedPrograms(state).isApproved(program)
  if (!isApproved) return { command, isApproved, version: '', callsTools: false }
  // `codex-cli 0.166.0`
  const { stdout } = await promisify(execFile)(command, ['--version'], {
    env: cleanEnvironment(environment, []),
    timeout: 20_000,
  })
  const [version = ''] = /\d+\.\d+\.\d+\S*/.exec(stdout) ?? []
  return { command, isApproved, version, callsTools: callsTools(version) }
}

/** Variables a program needs to start, find its settings and reach the network. None of them contains a key. */
const passedVariables = new Set([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'LANG',
  'TMPDIR',
  'TZ',
  'CODEX_HOME',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'CODEX_CA_CERTIFICATE',
  // Windows
  'SYSTEMROOT',
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
  'TEMP',
  'TMP',
  'PATHEXT',
])

/** The environment of Codex's process: these variables and those named in the settings. */
function cleanEnvironment(environment: CodexLocation['environment'], named: readonly string[]): Record<string, string> {
  const isPassed = (name: string) =>
    passedVariables.has(name.toUpperCase()) || name.startsWith('LC_') || named.includes(name)
  return Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && isPassed(entry[0]),
    ),
  )
}
