import type { SettingDefinitionGroup } from 'obsidian'
import { webSearchSecret } from '../open-plugin.js'
import { choiceRow, secretField, typedRow } from './rows.js'
import type { PageParts } from './settings-page.js'

/** Who is asked when a model searches the web. */
export function webGroup({ plugin, text, save }: PageParts): SettingDefinitionGroup {
  return {
    type: 'group',
    heading: 'Web search',
    items: [
      choiceRow(
        { key: 'web.searchEngine', name: 'Search engine', desc: 'Nothing is sent anywhere before you choose one.' },
        { '': 'None', searxng: 'SearXNG', brave: 'Brave', custom: 'A service of your own' },
      ),
      typedRow({
        key: 'web.searchUrl',
        name: 'Search address',
        placeholder: 'http://127.0.0.1:8888',
        value: () => text('web.searchUrl'),
        save,
      }),
      {
        name: 'Search key',
        desc: 'Where the service wants one. Kept in the secret storage of Obsidian.',
        render(setting) {
          secretField(setting, plugin, plugin.settings.secrets[webSearchSecret], (secret) => {
            const { [webSearchSecret]: _, ...others } = plugin.settings.secrets
            const secrets = secret ? { ...others, [webSearchSecret]: secret } : others
            void plugin.saveSettings({ ...plugin.settings, secrets })
          })
        },
      },
    ],
  }
}
