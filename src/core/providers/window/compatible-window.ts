import type { Connection } from '../provider.js'
import { askServer, entryOf, serverRoot, tokensIn } from './ask-server.js'
import type { ToldWindow } from './model-window.js'

/** vLLM and some hosts say it in the list of models, llama.cpp in its properties. */
export async function compatibleWindow(modelId: string, connection: Connection): Promise<ToldWindow | undefined> {
  const [list, properties] = await Promise.all([
    askServer(connection, `${connection.baseUrl}/models`),
    askServer(connection, `${serverRoot(connection.baseUrl)}/props`),
  ])
  const entry = entryOf(list, modelId)
  const inUse = (properties as { default_generation_settings?: { n_ctx?: unknown } } | null | undefined)
    ?.default_generation_settings?.n_ctx
  const tokens = tokensIn(inUse) ?? tokensIn(entry?.max_model_len) ?? tokensIn(entry?.context_length)
  return tokens === undefined ? undefined : { tokens }
}
