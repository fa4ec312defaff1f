import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ModelSurroundings } from './open-agent-model.js'

/** More than a sentence can hold is not looked for. */
const enough = 50

/** Models that Ollama and LM Studio keep on this disk, as a person names them. Nobody is asked: only folders are read. */
export async function installedModels({ environment, home }: Pick<ModelSurroundings, 'environment' | 'home'>) {
  const [ollama, lmstudio] = await Promise.all([ollamaModels(environment, home), lmStudioModels(home)])
  return [...ollama, ...lmstudio].slice(0, enough)
}

/** A manifest for each: `manifests/registry.ollama.ai/library/qwen3/8b` is `qwen3:8b`. */
async function ollamaModels(environment: ModelSurroundings['environment'], home: string): Promise<string[]> {
  const folder = environment.OLLAMA_MODELS || join(home, '.ollama', 'models')
  const library = join(folder, 'manifests', 'registry.ollama.ai', 'library')
  const found: string[] = []
  for (const model of await names(library)) {
    for (const tag of await names(join(library, model))) {
      found.push(`ollama/${model}${tag === 'latest' ? '' : `:${tag}`}`)
    }
    if (found.length >= enough) break
  }
  return found
}

/** A folder for each, below its publisher's. */
async function lmStudioModels(home: string): Promise<string[]> {
  const folder = join(home, '.lmstudio', 'models')
  const found: string[] = []
  for (const publisher of await names(folder)) {
    for (const model of await names(join(folder, publisher))) found.push(`lmstudio/${publisher}/${model}`)
    if (found.length >= enough) break
  }
  return found
}

async function names(folder: string): Promise<string[]> {
  const entries = await readdir(folder).catch(() => [])
  return entries.filter((name) => !name.startsWith('.')).sort()
}
