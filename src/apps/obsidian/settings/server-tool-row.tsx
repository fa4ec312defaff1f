import type { SettingDefinition } from 'obsidian'
import { familiarity, type ServerTool, titleOf, toolHash } from '../../../core/mcp/index.js'
import { visibleText } from '../../../core/text/index.js'
import { ServerToolView, type ShownServerTool } from '../../../ui/index.js'
import { drawPanel } from '../draw-panel.js'
import { switchTool } from './server-actions.js'
import type { ServersAtHand } from './servers-at-hand.js'
import type { PageParts } from './settings-page.js'

/** All of it is shown before it can be switched on; where it has changed, both ways. */
export function serverToolRow(
  server: string,
  tool: ServerTool,
  seen: ReadonlyMap<string, ServerTool>,
  parts: PageParts,
  atHand: ServersAtHand,
): SettingDefinition {
  const { plugin, opened } = parts
  const state = familiarity(tool, seen)
  const before = state === 'changed' ? seen.get(tool.name) : undefined
  const isOn = (opened.vault.settings.tools.enabled ?? []).includes(`${server}/${tool.name}`)
  const shown: ShownServerTool = {
    ...tool,
    title: titleOf(tool),
    ...(tool.title !== undefined && { ownTitle: tool.title }),
    hash: toolHash(tool),
    state,
    enabled: state === 'seen' && isOn,
    ...(before && { before }),
  }
  return {
    name: visibleText(`${server}/${tool.name}`).text,
    searchable: false,
    render(setting) {
      const { settingEl } = setting
      settingEl.empty()
      settingEl.addClass('nw', 'notewright-server-tool')
      const onSwitch = (enabled: boolean) => void switchTool(server, tool, enabled, parts, atHand)
      drawPanel(settingEl, plugin.app, <ServerToolView tool={shown} onSwitch={onSwitch} />)
      return () => drawPanel(settingEl, plugin.app, null)
    },
  }
}
