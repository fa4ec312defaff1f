import type { Connection } from '../provider.js'
import { askServer, entryOf, tokensIn } from './ask-server.js'
import type { ToldWindow } from './model-window.js'

/** From the list of models. A variant such as `:free` that is not in it has the window of the model. */
export async function openRouterWindow(modelId: string, connection: Connection): Promise<ToldWindow | undefined> {
  const list = await askServer(connection, `${connection.baseUrl}/models`)
  const entry = entryOf(list, modelId) ?? entryOf(list, modelId.replace(/:[\w-]+$/, ''))
  const tokens = tokensIn(entry?.context_length)
  return tokens === undefined ? undefined : { tokens }
}
