import { Failure } from '../../../../core/errors.js'
import { findTool } from '../../../../core/tools/index.js'
import { setConfigValue } from '../../../../hosts/node/config/index.js'
import type { Invocation } from '../../invocation.js'
import { readSettings } from '../../open-vault.js'
import { toolShelf } from '../../tool-shelf.js'

/** Switches one tool on or off in the person's configuration; the list stays in the order of the registry. */
export async function toolEnable(invocation: Invocation, name: string, isOn: boolean): Promise<void> {
  const { terminal } = invocation
  const { config, folders } = await readSettings(invocation)
  const { registry, enabled } = toolShelf(config)
  const { tool } = findTool(registry, { name, input: {} }).registered
  if (tool.alwaysOn && !isOn) throw new Failure('invalid-input', `${tool.name} is always on.`)
  if (isOn) enabled.add(tool.name)
  else enabled.delete(tool.name)
  const names = registry.all().flatMap((entry) => (enabled.has(entry.tool.name) ? [entry.tool.name] : []))
  await setConfigValue(folders.configFile, 'tools.enabled', JSON.stringify(names))
  if (terminal.json) return terminal.printJson({ name: tool.name, enabled: isOn })
  terminal.say(`${tool.name} is ${isOn ? 'on' : 'off'}.`)
}
