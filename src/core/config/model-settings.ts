import type { Config } from './config-schema.js'

/** How one model is used: what is said about it, and otherwise about all. */
export interface ModelSettings {
  window?: number
  /** Whether it looks at pictures, where its name does not tell. */
  pictures?: boolean
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
  const { window, pictures, stallSeconds } = models
  const own = model.includes('/') && Object.hasOwn(models, model) ? models[model] : {}
  return { window, pictures, stallSeconds, ...turn, stream, temperature, thinking, instructions, ...own }
}
