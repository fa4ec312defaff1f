import type { SettingDefinition } from 'obsidian'
import type { ComponentProps } from 'preact'
import { TrustBox } from '../../../ui/index.js'
import { drawPanel } from '../draw-panel.js'
import type { NotewrightPlugin } from '../plugin.js'

/** All that a yes would mean, before anyone can say it. */
export function trustRow(
  name: string,
  { app }: NotewrightPlugin,
  box: ComponentProps<typeof TrustBox>,
): SettingDefinition {
  return {
    name,
    searchable: false,
    render({ settingEl }) {
      settingEl.empty()
      settingEl.addClass('nw', 'notewright-server-tool')
      drawPanel(settingEl, app, <TrustBox {...box} />)
      return () => drawPanel(settingEl, app, null)
    },
  }
}
