import type { SettingDefinition } from 'obsidian'
import type { KeyRecipient } from '../../../hosts/obsidian/index.js'
import type { PageParts } from './settings-page.js'
import { trustRow } from './trust-row.js'

/** Asks before a key goes to an address that the settings name and the person has not entered here; nothing otherwise. */
export function keyTrustRows(
  whose: string,
  recipient: KeyRecipient | undefined,
  { plugin, opened, onNews }: PageParts,
): SettingDefinition[] {
  const { recipients } = opened.vault
  const name = recipient && plugin.settings.secrets[recipient.service]
  // A device that has no such key has nothing to send.
  if (!name || !plugin.app.secretStorage.getSecret(name) || recipients.maySend(recipient)) return []
  const { origin } = recipient
  const agree = async () => {
    await recipients.trust(recipient)
    opened.use(plugin.settings)
    plugin.tell(`Your key for ${whose} is sent to ${origin} from now on.`)
    onNews()
  }
  return [
    trustRow(`Send the key to ${origin}`, plugin, {
      asked: { argv: [origin], given: [] },
      kind: 'key',
      wants: `The settings, which were not written here, want your key for ${whose}`,
      where: 'from this device',
      onTrust: () => void agree(),
    }),
  ]
}
