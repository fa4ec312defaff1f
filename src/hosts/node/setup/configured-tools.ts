import { dirname, join } from 'node:path'
import {
  builtInTools,
  checkToolNames,
  type Registry,
  registry,
  type Toolset,
  toolset,
} from '../../../core/tools/index.js'
import { ownTools } from '../own-tools/index.js'
import type { Setup } from './read-setup.js'

export interface ConfiguredTools {
  registry: Registry
  toolset: Toolset
  /** What is wrong with tools that the person wrote. */
  troubles: string[]
}

/** The tools there are and those the settings switch on. A name no tool has is an error: it would do nothing. */
export async function configuredTools({
  config,
  folders,
}: Pick<Setup, 'config' | 'folders'>): Promise<ConfiguredTools> {
  const { tools } = config
  const all = registry(builtInTools)
  const troubles = await ownTools(join(dirname(folders.configFile), 'tools')).refresh(all)
  checkToolNames(tools, all)
  return { registry: all, toolset: toolset(tools, all), troubles }
}
