import { Failure } from '../../../../core/errors.js'
import { findTool } from '../../../../core/tools/index.js'
import type { Invocation } from '../../program/invocation.js'
import { configuredTools } from '../../session/configured-tools.js'
import { readSettings } from '../../session/open-vault.js'
import { switchTools } from '../../session/switch-tools.js'
import { visibleLine } from '../../terminal/index.js'

/** Switches one tool on or off in the person's configuration. */
export async function toolEnable(invocation: Invocation, name: string, isOn: boolean): Promise<void> {
  const { terminal } = invocation
  const setting = await readSettings(invocation)
  const { registry } = configuredTools(setting.config)
  const tool = name.includes('/') ? undefined : findTool(registry, { name, input: {} }).registered.tool
  const id = tool?.name ?? name
  if (tool?.alwaysOn && !isOn) throw new Failure('invalid-input', `${id} is always on.`)
  await switchTools(setting, [id], isOn)
  if (terminal.json) return terminal.printJson({ name: id, enabled: isOn })
  terminal.say(`${visibleLine(id)} is ${isOn ? 'on' : 'off'}${tool ? '' : ', once its server is there'}.`)
}
