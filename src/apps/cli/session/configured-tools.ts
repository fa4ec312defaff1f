import type { Config } from '../../../core/config/index.js'
import {
  builtInTools,
  checkToolNames,
  type Registry,
  registry,
  type Toolset,
  toolset,
} from '../../../core/tools/index.js'

export interface ConfiguredTools {
  registry: Registry
  toolset: Toolset
}

/** The tools there are and those the settings switch on. A name no tool has is an error: it would do nothing. */
export function configuredTools({ tools }: Pick<Config, 'tools'>): ConfiguredTools {
  const all = registry(builtInTools)
  checkToolNames(tools, all)
  return { registry: all, toolset: toolset(tools, all) }
}
