import { closeSync, fstatSync, openSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Config, checkConfig, settings, valueAt, valueFromText, withValueAt } from '../../../core/config/index.js'
import { Failure } from '../../../core/errors.js'
import { isRecord } from '../../../core/is-record.js'

export type Source = 'flag' | 'environment' | 'file' | 'default'

export interface LoadedConfig {
  config: Config
  /** Where each value came from, by dotted name; for the environment also which variable. */
  sources: Record<string, { source: Source; variable?: string }>
}

export interface ConfigInput {
  file: string
  environment: Record<string, string | undefined>
  /** Values given on the command line, by dotted name. */
  flags?: Record<string, unknown>
}

/** Flags before environment before the person's file before defaults. A vault's own files are never asked. */
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
        valueFromText(setting, environment[variable] ?? '', `environment variable ${variable}`),
      )
      sources[key] = { source: 'environment', variable }
    }
  }
  return { config: checkConfig(tree, 'command line'), sources }
}

/** The file as a plain tree, `{}` when there is none. Unchecked, so that `config set` can mend a wrong value. */
export async function readConfigFile(file: string): Promise<Record<string, unknown>> {
  let text: string
  try {
    text = readOwn(file)
  } catch (error) {
    if (error instanceof Failure) throw error
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw new Failure('invalid-input', `${file}: cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
  let tree: unknown
  try {
    tree = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new Failure('invalid-input', `${file}: not valid JSON (${(error as Error).message})`, {
      hint: 'Mend the file, or move it away to start from the defaults.',
    })
  }
  if (!isRecord(tree)) throw new Failure('invalid-input', `${file}: expected a JSON object with settings.`)
  return tree
}

const othersWrite = 0o022
const sticky = 0o1000

/** Looks at the very file it reads, so that none can be swapped in between. */
function readOwn(file: string): string {
  const handle = openSync(file, 'r')
  try {
    mustBeOwn(file, fstatSync(handle).mode)
    return readFileSync(handle, 'utf8')
  } finally {
    closeSync(handle)
  }
}

/**
 * Settings say which tools run unasked and which servers are trusted, so nobody else may write them: neither the file,
 * nor the folder, in which another one could be put in its place.
 */
function mustBeOwn(file: string, fileMode: number): void {
  if (process.platform === 'win32') return
  if ((fileMode & othersWrite) !== 0) throw writableByOthers(file, file)
  const folder = dirname(file)
  const { mode } = statSync(folder)
  if ((mode & othersWrite) !== 0 && (mode & sticky) === 0) throw writableByOthers(folder, file)
}

function writableByOthers(place: string, file: string): Failure {
  return new Failure('denied', `${place} can be changed by others on this machine, so ${file} is not used.`, {
    hint: `Look through the settings, then: chmod go-w '${place.replaceAll("'", "'\\''")}'`,
  })
}
