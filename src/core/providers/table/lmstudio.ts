import { baseUrl } from '../addresses.js'
import { findModelEntry, queryServer, serverRoot, tokenCount } from '../model-window.js'
import { chatModel, compatibleEmbeddings } from '../openai-compatible.js'
import { bearer, idsInData, type Provider, type ProviderConnection, type ServerWindow } from '../provider.js'

export const lmstudio: Provider = {
  id: 'lmstudio',
  name: 'LM Studio',
  key: { environment: ['LMSTUDIO_API_KEY'], required: false },
  address: {
    environment: ['LMSTUDIO_BASE_URL'],
    standard: 'http://127.0.0.1:1234/v1',
    read: (text, name) => baseUrl(text, name, '/v1'),
  },
  files: ['image'],
  unreachableHint: 'Start its server (Developer tab, or: lms server start).',
  modelHint: (modelId) => `Load it in LM Studio, or with: lms load ${modelId}.`,
  load: async (connection) => (modelId) => chatModel('lmstudio', modelId, connection),
  embeddings: async (connection) => (modelId) => compatibleEmbeddings('lmstudio', modelId, connection),
  window: lmStudioWindow,
  windowHint: (modelId) => `Load it with a larger context window: lms load ${modelId} --context-length {tokens}`,
  modelIds: idsInData,
  listHeaders: bearer,
}

/** LM Studio's default context size for models that a request makes it load. */
const defaultLoadedWindow = 4096

/** Both of its APIs, the older and the newer, report the size of a loaded model; for others only the maximum. */
async function lmStudioWindow(modelId: string, connection: ProviderConnection): Promise<ServerWindow | undefined> {
  const root = serverRoot(connection.baseUrl)
  const [older, newer] = await Promise.all([
    queryServer(connection, `${root}/api/v0/models`),
    queryServer(connection, `${root}/api/v1/models`),
  ])
  const entry = findModelEntry(older, modelId)
  const model = newerEntry(newer, modelId)
  const loaded =
    tokenCount(entry?.loaded_context_length) ?? tokenCount(model?.loaded_instances?.[0]?.config?.context_length)
  if (loaded !== undefined) return { tokens: loaded }
  const most = tokenCount(entry?.max_context_length) ?? tokenCount(model?.max_context_length)
  return most === undefined ? undefined : { tokens: Math.min(most, defaultLoadedWindow), isProvisional: true }
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
