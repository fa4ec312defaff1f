import { toolNamed } from '../../../core/tools/index.js'
import { setConfigValue } from '../../../hosts/node/config/index.js'
import { configuredTools } from './configured-tools.js'
import type { Setting } from './open-vault.js'

/**
 * Switches tools on or off in the person's configuration; the list stays in the order of the registry. Tools of servers
 * that are not there now keep their place after it.
 */
export async function switchTools(
  { config, folders }: Setting,
  names: readonly string[],
  isOn: boolean,
): Promise<void> {
  const { registry, toolset } = configuredTools(config)
  const isThere = (each: string) => toolNamed(each, registry) !== undefined
  const awaited = [...(config.tools.enabled ?? []), ...names].filter((each) => !isThere(each))
  const isWanted = (each: string) => (names.includes(each) ? isOn : toolset.names.has(each) || !isThere(each))
  const ids = [...registry.all().map((entry) => entry.tool.name), ...new Set(awaited)].filter(isWanted)
  await setConfigValue(folders.configFile, 'tools.enabled', JSON.stringify(ids))
}
