import { readFileSync } from 'node:fs'
import { Failure } from '../../../core/errors.js'
import { checkConfig, wrongValue } from './check-config.js'
import type { Config } from './config-schema.js'
import { isRecord, type Setting, settings, valueAt, withValueAt } from './settings.js'

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
    text = readFileSync(file, 'utf8')
  } catch (error) {
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

/** Reads what a person typed: the text itself, JSON, or a list with commas, whichever the setting takes. */
export function valueFromText(setting: Setting, text: string, where?: string): unknown {
  const readings = [() => text, () => JSON.parse(text), () => commaList(text)]
  for (const reading of readings) {
    try {
      const value: unknown = reading()
      if (setting.accepts(value)) return value
    } catch {
      // Not JSON: the next reading may fit.
    }
  }
  throw wrongValue(setting.key, setting.expects, where)
}

function commaList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
