import type { Config } from './config-schema.js'

/** How one model is used: what is said about it, and otherwise about all. */
export interface ModelSettings {
  window?: number
  stallSeconds: number
  minutes: number
  steps?: number
  stream: boolean
  temperature?: number
  thinking?: 'off' | 'on' | number
  instructions?: string
}

export function settingsFor(model: string, config: Config): ModelSettings {
  const { models, turn, stream, temperature, thinking, instructions } = config
  const { window, stallSeconds } = models
  const own = model.includes('/') && Object.hasOwn(models, model) ? models[model] : {}
  return { window, stallSeconds, ...turn, stream, temperature, thinking, instructions, ...own }
}
