import { Failure } from '../../../../core/errors.js'
import { findTool, toolNamed } from '../../../../core/tools/index.js'
import { setConfigValue } from '../../../../hosts/node/config/index.js'
import type { Invocation } from '../../program/invocation.js'
import { configuredTools } from '../../session/configured-tools.js'
import { readSettings } from '../../session/open-vault.js'
import { visibleLine } from '../../terminal/index.js'

/**
 * Switches one tool on or off in the person's configuration; the list stays in the order of the registry. Tools of
 * servers that are not there now keep their place after it.
 */
export async function toolEnable(invocation: Invocation, name: string, isOn: boolean): Promise<void> {
  const { terminal } = invocation
  const { config, folders } = await readSettings(invocation)
  const { registry, toolset } = configuredTools(config)
  const tool = name.includes('/') ? undefined : findTool(registry, { name, input: {} }).registered.tool
  const id = tool?.name ?? name
  if (tool?.alwaysOn && !isOn) throw new Failure('invalid-input', `${id} is always on.`)
  const isThere = (each: string) => toolNamed(each, registry) !== undefined
  const awaited = [...(config.tools.enabled ?? []), id].filter((each) => !isThere(each))
  const isWanted = (each: string) => (each === id ? isOn : toolset.names.has(each) || !isThere(each))
  const ids = [...registry.all().map((entry) => entry.tool.name), ...new Set(awaited)].filter(isWanted)
  await setConfigValue(folders.configFile, 'tools.enabled', JSON.stringify(ids))
  if (terminal.json) return terminal.printJson({ name: id, enabled: isOn })
  terminal.say(`${visibleLine(id)} is ${isOn ? 'on' : 'off'}${isThere(id) ? '' : ', once its server is there'}.`)
}
