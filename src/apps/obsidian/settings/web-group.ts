import type { SettingDefinitionGroup } from 'obsidian'
import { configOf, recipientOfSearchKey, webSearchService } from '../../../hosts/obsidian/index.js'
import { keyTrustRows } from './key-trust-rows.js'
import { choiceRow, secretField, typedRow } from './rows.js'
import type { PageParts } from './settings-page.js'

/** Who is asked when a model searches the web. */
export function webGroup(parts: PageParts): SettingDefinitionGroup {
  const { plugin, opened, text, save, onNews } = parts
  const web = () => configOf(plugin.settings).config.web
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
        async save(key, written) {
          const searchUrl = String(written).trim()
          // Which engine it is for may be chosen later.
          const { searchEngine = 'custom' } = web()
          const entered = URL.canParse(searchUrl)
            ? recipientOfSearchKey({ ...web(), searchEngine, searchUrl })
            : undefined
          // Whoever enters an address here means the key for it.
          if (entered !== undefined) await opened.vault.recipients.trust(entered)
          return save(key, searchUrl)
        },
      }),
      ...keyTrustRows('web search', recipientOfSearchKey(web()), parts),
      {
        name: 'Search key',
        desc: 'Where the service wants one. Kept in the secret storage of Obsidian.',
        render(setting) {
          secretField(setting, plugin, plugin.settings.secrets[webSearchService], (secret) => {
            const { [webSearchService]: _, ...others } = plugin.settings.secrets
            const secrets = secret ? { ...others, [webSearchService]: secret } : others
            void plugin.saveSettings({ ...plugin.settings, secrets }).then(onNews)
          })
        },
      },
    ],
  }
}
