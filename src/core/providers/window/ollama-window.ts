import type { Connection } from '../provider.js'
import { askServer, serverRoot, tokensIn } from './ask-server.js'
import { type ToldWindow, usualWindow } from './model-window.js'

/**
 * Ollama loads a model with the window that a request asks for, so this is a choice: the person's, the one in the
 * Modelfile, or the usual one, or more where it is loaded with more; never more than the model was made for.
 */
export async function ollamaWindow(
  modelId: string,
  connection: Connection,
  wanted?: number,
): Promise<ToldWindow | undefined> {
  const root = serverRoot(connection.baseUrl)
  const [shown, running] = await Promise.all([
    askServer(connection, `${root}/api/show`, { model: modelId }),
    askServer(connection, `${root}/api/ps`),
  ])
  const { model_info: info, parameters } = (shown ?? {}) as { model_info?: unknown; parameters?: unknown }
  if (typeof info !== 'object' || info === null) return undefined
  const most = tokensIn(Object.entries(info).find(([name]) => name.endsWith('.context_length'))?.[1])
  const chosen = wanted ?? inModelfile(parameters) ?? Math.max(usualWindow, loadedWindow(running, modelId) ?? 0)
  return { tokens: Math.min(chosen, most ?? chosen) }
}

/** `num_ctx 16384`, one of the lines in which the Modelfile's parameters are told. */
function inModelfile(parameters: unknown): number | undefined {
  const [, number] = /^num_ctx\s+"?(\d+)/m.exec(typeof parameters === 'string' ? parameters : '') ?? []
  return tokensIn(Number(number))
}

interface RunningModel {
  name?: unknown
  model?: unknown
  context_length?: unknown
}

function loadedWindow(running: unknown, modelId: string): number | undefined {
  const models = (running as { models?: unknown } | null | undefined)?.models
  if (!Array.isArray(models)) return undefined
  const name = modelId.includes(':') ? modelId : `${modelId}:latest`
  const loaded = (models as (RunningModel | null)[]).find((model) => model?.name === name || model?.model === name)
  return tokensIn(loaded?.context_length)
}
