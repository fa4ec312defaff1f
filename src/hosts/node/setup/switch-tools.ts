import { toolId, toolNamed } from '../../../core/tools/index.js'
import { setConfigValue } from '../config/index.js'
import { configuredTools } from './configured-tools.js'
import type { Setup } from './read-setup.js'

/**
 * Switches tools on or off in the person's configuration; the list stays in the order of the registry. Tools of servers
 * that are not there now keep their place after it.
 */
export async function switchTools(setup: Setup, names: readonly string[], isOn: boolean): Promise<void> {
  const { config, folders } = setup
  const { registry, toolset } = await configuredTools(setup)
  const isThere = (each: string) => toolNamed(each, registry) !== undefined
  const awaited = [...(config.tools.enabled ?? []), ...names].filter((each) => !isThere(each))
  const isOnNow = (each: string) => {
    const found = toolNamed(each, registry)
    return found === undefined || toolset.names.has(found.tool.name)
  }
  const isWanted = (each: string) => (names.includes(each) ? isOn : isOnNow(each))
  const ids = [...registry.all().map(toolId), ...new Set(awaited)].filter(isWanted)
  await setConfigValue(folders.configFile, 'tools.enabled', JSON.stringify(ids))
}
