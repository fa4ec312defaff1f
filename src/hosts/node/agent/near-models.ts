import { modelFailureData } from '../../../core/model/index.js'
import { nearestNames } from '../../../core/names/index.js'
import { findProvider, listModels, splitModelName } from '../../../core/providers/index.js'
import { type ModelSurroundings, storeOf } from './open-agent-model.js'

const limitMs = 3000

/** When a provider has no such model: what it has that is called nearly the same. Asks that provider and nobody else. */
export async function nearModels(
  name: string,
  failure: unknown,
  place: ModelSurroundings,
  signal: AbortSignal,
): Promise<string[]> {
  if (modelFailureData(failure)?.kind !== 'unknown-model') return []
  const { provider: id, modelId } = splitModelName(name)
  const provider = findProvider(id)
  try {
    const { environment } = place
    const models = await listModels(provider, { environment, fetch, keys: storeOf(place).keys, limitMs, signal })
    return nearestNames(modelId, models)
      .slice(0, 3)
      .map((near) => `${provider.id}/${near}`)
  } catch {
    return []
  }
}
