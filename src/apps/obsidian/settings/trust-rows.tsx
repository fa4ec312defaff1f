import type { SettingDefinition } from 'obsidian'
import type { ComponentProps } from 'preact'
import type { KeyRecipient } from '../../../hosts/obsidian/index.js'
import { TrustBox } from '../../../ui/index.js'
import { drawPanel } from '../draw-panel.js'
import type { NotewrightPlugin } from '../plugin.js'
import type { SettingsContext } from './settings-page.js'

/** Shows everything that an approval allows, before the user can approve. */
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

/** Asks before a key is sent to an address that the user has not entered on this device. */
export function keyTrustRows(
  whose: string,
  recipient: KeyRecipient | undefined,
  { plugin, opened, onNews }: SettingsContext,
): SettingDefinition[] {
  const { recipients } = opened.vault
  const name = recipient && plugin.settings.secrets[recipient.service]
  // A device that has no such key has nothing to send.
  if (!name || !plugin.app.secretStorage.getSecret(name) || recipients.maySend(recipient)) return []
  const { origin } = recipient
  const agree = async () => {
    await recipients.trust(recipient)
    opened.use()
    plugin.tell(`Your key for ${whose} is now sent to ${origin}.`)
    onNews()
  }
  return [
    trustRow(`Send the key to ${origin}`, plugin, {
      asked: { argv: [origin], given: [] },
      kind: 'key',
      wants: `Settings from another device want your key for ${whose}`,
      where: 'from this device',
      onTrust: () => void agree(),
    }),
  ]
}
