import type { Connection } from '../provider.js'
import { askServer, entryOf, serverRoot, tokensIn } from './ask-server.js'
import type { ToldWindow } from './model-window.js'

/** What LM Studio loads a model with when a request makes it do so and nobody has set another length. */
const loadedWith = 4096

/** `/api/v0/models` says how a model was loaded; of one that is not, only how long it could be. */
export async function lmStudioWindow(modelId: string, connection: Connection): Promise<ToldWindow | undefined> {
  const entry = entryOf(await askServer(connection, `${serverRoot(connection.baseUrl)}/api/v0/models`), modelId)
  const loaded = tokensIn(entry?.loaded_context_length)
  if (loaded !== undefined) return { tokens: loaded }
  const most = tokensIn(entry?.max_context_length)
  return most === undefined ? undefined : { tokens: Math.min(most, loadedWith), isProvisional: true }
}
