import { existsSync, statSync } from 'node:fs'
import { parseRules, ruleVocabulary } from '../../../core/approval/index.js'
import { withValueAt } from '../../../core/config/index.js'
import { textDialect } from '../../../core/dialects/index.js'
import { Failure } from '../../../core/errors.js'
import { embeddingModel, findProvider, splitModelName } from '../../../core/providers/index.js'
import { builtInTools, checkToolNames, registry, type ToolsConfig } from '../../../core/tools/index.js'

/**
 * Refuses a value that has the right form but would not work: a folder, provider, dialect, rule or tool that is not there.
 * Otherwise it would be found out in the middle of something else.
 */
export function checkValue(key: string, value: unknown, folder?: string): void {
  if (key === 'vault' && folder !== undefined) mustBeFolder(folder)
  if (key === 'model' && value !== 'offline') findProvider(splitModelName(`${value}`).provider, ['offline'])
  if (key === 'embeddings.model') embeddingModel(`${value}`)
  if (key === 'dialect' && value !== 'auto' && value !== 'native') textDialect(`${value}`)
  if (key === 'web.searchUrl' && !/^https?:$/.test(new URL(`${value}`).protocol)) throw notHttp(`${value}`)
  const [section, name = ''] = key.split('.')
  if (section === 'permissions') {
    parseRules([{ from: 'config', [name]: value as string[] }], ruleVocabulary(registry(builtInTools)))
  }
  if (section === 'tools') checkToolNames(withValueAt({}, key, value).tools as ToolsConfig, registry(builtInTools))
}

function mustBeFolder(path: string): void {
  if (!existsSync(path)) {
    throw new Failure('not-found', `Vault folder not found: ${path}`, {
      hint: 'Create it first, or check the spelling.',
    })
  }
  if (!statSync(path).isDirectory()) throw new Failure('invalid-input', `Vault is not a folder: ${path}`)
}

function notHttp(url: string): Failure {
  return new Failure('invalid-input', `web.searchUrl must start with http:// or https://, not ${url}`)
}
