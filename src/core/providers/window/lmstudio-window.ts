import type { Connection } from '../provider.js'
import { askServer, entryOf, serverRoot, tokensIn } from './ask-server.js'
import type { ToldWindow } from './model-window.js'

/** What LM Studio loads a model with when a request makes it do so and nobody has set another length. */
const loadedWith = 4096

/** Both of its APIs, the older and the newer, say how a model was loaded; of one that is not, only how long it could be. */
export async function lmStudioWindow(modelId: string, connection: Connection): Promise<ToldWindow | undefined> {
  const root = serverRoot(connection.baseUrl)
  const [older, newer] = await Promise.all([
    askServer(connection, `${root}/api/v0/models`),
    askServer(connection, `${root}/api/v1/models`),
  ])
  const entry = entryOf(older, modelId)
  const model = newerEntry(newer, modelId)
  const loaded =
    tokensIn(entry?.loaded_context_length) ?? tokensIn(model?.loaded_instances?.[0]?.config?.context_length)
  if (loaded !== undefined) return { tokens: loaded }
  const most = tokensIn(entry?.max_context_length) ?? tokensIn(model?.max_context_length)
  return most === undefined ? undefined : { tokens: Math.min(most, loadedWith), isProvisional: true }
}

interface NewerEntry {
  key?: unknown
  max_context_length?: unknown
  loaded_instances?: readonly { id?: unknown; config?: { context_length?: unknown } }[]
}

function newerEntry(body: unknown, modelId: string): NewerEntry | undefined {
  const models = (body as { models?: unknown } | null | undefined)?.models
  if (!Array.isArray(models)) return undefined
  return (models as NewerEntry[]).find(
    (model) => model?.key === modelId || model?.loaded_instances?.some(({ id }) => id === modelId),
  )
}
