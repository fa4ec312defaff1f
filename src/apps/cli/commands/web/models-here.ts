import { installedModels } from '../../../../hosts/node/agent/index.js'
import { providerRows, type SetupPlace } from '../../../../hosts/node/setup/index.js'
import type { ModelChoice } from '../../../web/index.js'

/** What runs on this machine and what lies on its disk, and what is always there. */
export async function modelsHere(place: SetupPlace): Promise<ModelChoice[]> {
  const { environment, home } = place.surroundings
  const [rows, installed] = await Promise.all([
    providerRows(place),
    installedModels({ environment, home }).catch(() => []),
  ])
  const running = rows.flatMap(({ models = [], address }) =>
    models.map((model) => ({ model, about: `runs at ${address}` })),
  )
  const idle = installed
    .filter((model) => !running.some((one) => one.model === model))
    .map((model) => ({
      model,
      about: `on this disk; start ${model.startsWith('ollama/') ? 'Ollama' : 'LM Studio'} first`,
    }))
  return [...running, ...idle, { model: 'offline', about: 'searches and quotes, without a language model' }]
}
