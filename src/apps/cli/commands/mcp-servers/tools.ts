import {
  enableServerTools,
  findServers,
  readToolStates,
  serverToolIds,
  stateNamed,
  switchTools,
  toolStateRow,
} from '../../../../hosts/node/setup/index.js'
import type { Invocation } from '../../program/invocation.js'
import { confirm } from '../../terminal/index.js'
import { serversPlace } from './servers-place.js'
import { showTool } from './show-tool.js'

export interface ToolsOptions {
  enable?: string[]
  disable?: string[]
  yes?: boolean
}

/** Shows what a server's tools say of themselves. What is switched on is shown first, whole, and kept as it was then. */
export async function serversTools(invocation: Invocation, name: string, options: ToolsOptions): Promise<void> {
  const { terminal, signal } = invocation
  const place = serversPlace(invocation)
  const found = await findServers(place)
  const { enable = [], disable = [], yes } = options
  if (disable.length > 0) await switchTools(found.setup, serverToolIds(name, disable), false)
  if (disable.length > 0 && enable.length === 0) {
    if (terminal.json) return terminal.printJson({ server: name, disabled: disable })
    return terminal.say(`Off: ${disable.join(', ')}`)
  }
  const states = await readToolStates(place, name, found)
  const wanted = enable.length === 0 ? states : enable.map((each) => stateNamed(each, name, states))
  if (!terminal.json) for (const state of wanted) showTool(state, terminal)
  if (enable.length > 0) {
    const which = enable.join(', ')
    if (!yes) {
      await confirm(terminal, {
        text: `Switch on ${which}, as shown above?`,
        needs: 'Switching on a tool of someone else needs your approval.',
        signal,
      })
    }
    await enableServerTools(place, name, wanted, found)
    if (!terminal.json)
      return terminal.say(`On: ${which}. If one of them changes, it is off until you have looked at it again.`)
  }
  if (!terminal.json) return
  const now = enable.length === 0 ? states : wanted.map(({ tool }) => ({ tool, state: 'seen' as const, enabled: true }))
  terminal.printJson({ server: name, tools: now.map(toolStateRow) })
}
