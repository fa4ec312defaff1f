import { switchTool } from '../../../../hosts/node/setup/index.js'
import type { Invocation } from '../../program/invocation.js'
import { readSettings } from '../../session/locate-vault.js'
import { visibleLine } from '../../terminal/index.js'

/** Switches one tool on or off in the person's configuration. */
export async function toolEnable(invocation: Invocation, name: string, isOn: boolean): Promise<void> {
  const { terminal } = invocation
  const { waits, ...tool } = await switchTool(await readSettings(invocation), name, isOn)
  if (terminal.json) return terminal.printJson(tool)
  terminal.say(`${visibleLine(tool.name)} is ${isOn ? 'on' : 'off'}${waits ? ', once its server is there' : ''}.`)
}
