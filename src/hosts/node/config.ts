import { randomBytes } from 'node:crypto'
import { closeSync, fstatSync, openSync, readFileSync, statSync } from 'node:fs'
import { chmod, open, realpath, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import {
  type Config,
  checkConfig,
  findSetting,
  parseSettingText,
  settings,
  unknownSetting,
  valueAt,
  withValueAt,
} from '../../core/config/index.js'
import { Failure } from '../../core/errors.js'
import { isRecord } from '../../core/is-record.js'
import { makeFolder } from './state-folders.js'

export type ConfigSource = 'flag' | 'environment' | 'file' | 'default'

export interface LoadedConfig {
  config: Config
  /** The source of each value by dotted name, with the variable for the environment. */
  sources: Record<string, { source: ConfigSource; variable?: string }>
}

interface ConfigInput {
  file: string
  environment: Record<string, string | undefined>
  /** Values given on the command line, by dotted name. */
  flags?: Record<string, unknown> | undefined
}

/** Precedence: flags, environment, the user's file, defaults. A vault's own files are never read. */
export async function readConfig({ file, environment, flags = {} }: ConfigInput): Promise<LoadedConfig> {
  let tree = await readConfigFile(file)
  checkConfig(tree, file)
  const sources: LoadedConfig['sources'] = {}
  for (const setting of settings) {
    const { key } = setting
    sources[key] = { source: valueAt(tree, key) === undefined ? 'default' : 'file' }
    const variable = setting.environment.find((name) => environment[name] !== undefined && environment[name] !== '')
    if (flags[key] !== undefined) {
      tree = withValueAt(tree, key, flags[key])
      sources[key] = { source: 'flag' }
    } else if (variable !== undefined) {
      tree = withValueAt(
        tree,
        key,
        parseSettingText(setting, environment[variable] ?? '', `environment variable ${variable}`),
      )
      sources[key] = { source: 'environment', variable }
    }
  }
  return { config: checkConfig(tree, 'command line'), sources }
}

/** The file as a plain tree, `{}` when there is none. Unchecked, so that `config set` can mend a wrong value. */
async function readConfigFile(file: string): Promise<Record<string, unknown>> {
  let text: string
  try {
    text = readOwnFile(file)
  } catch (error) {
    if (error instanceof Failure) throw error
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw new Failure('invalid-input', `Can't read ${file} (${(error as NodeJS.ErrnoException).code})`)
  }
  let tree: unknown
  try {
    tree = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new Failure('invalid-input', `${file}: not valid JSON (${(error as Error).message})`, {
      hint: 'Fix the file, or move it away to use the defaults.',
    })
  }
  if (!isRecord(tree)) throw new Failure('invalid-input', `${file}: expected a JSON object with settings.`)
  return tree
}

const othersWrite = 0o022
const stickyBit = 0o1000

/** Checks the opened file handle, so that the file cannot be swapped in between. */
function readOwnFile(file: string): string {
  const handle = openSync(file, 'r')
  try {
    requireOwnFile(file, fstatSync(handle).mode)
    return readFileSync(handle, 'utf8')
  } finally {
    closeSync(handle)
  }
}

/**
 * Settings decide which tools run without approval and which servers are trusted, so neither the file nor its folder
 * may be writable by others.
 */
function requireOwnFile(file: string, fileMode: number): void {
  if (process.platform === 'win32') return
  if ((fileMode & othersWrite) !== 0) throw writableByOthers(file, file)
  const folder = dirname(file)
  const { mode } = statSync(folder)
  if ((mode & othersWrite) !== 0 && (mode & stickyBit) === 0) throw writableByOthers(folder, file)
}

function writableByOthers(place: string, file: string): Failure {
  return new Failure('denied', `${place} can be changed by other users of this computer, so ${file} is not used.`, {
    hint: `Check the settings, then run: chmod go-w '${place.replaceAll("'", "'\\''")}'`,
  })
}

/** Sets one value in the user's file and leaves all others; an empty text removes the value. */
export async function setConfigValue(file: string, key: string, text: string): Promise<unknown> {
  const setting = findSetting(key)
  if (setting === undefined) throw unknownSetting(key)
  const value = text === '' ? undefined : parseSettingText(setting, text)
  const tree = withValueAt(await readConfigFile(file), key, value)
  checkConfig(tree, file)
  await writePrivately(file, `${JSON.stringify(tree, null, 2)}\n`)
  return value
}

/** Written through a temporary file, so that a crash leaves the old file or the new one. */
async function writePrivately(file: string, text: string): Promise<void> {
  // A config file that is a link (dotfiles) stays a link.
  const target = await realpath(file).catch(() => file)
  await makeFolder(dirname(target))
  const temporary = `${target}.${randomBytes(6).toString('hex')}.tmp`
  try {
    const handle = await open(temporary, 'wx', 0o600)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await chmod(temporary, 0o600)
    await rename(temporary, target)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
