import type { SettingDefinitionItem, SettingDefinitionPage } from 'obsidian'
import { listModels, type Provider, providerAddress, providers } from '../../../core/providers/index.js'
import { visibleText } from '../../../core/text/index.js'
import { pluginAdvice, recipientOfKey } from '../../../hosts/obsidian/index.js'
import { providerRow, providerWords } from '../../../ui/index.js'
import { failureOf, noticeOf } from '../failure-of.js'
import type { NotewrightPlugin } from '../plugin.js'
import { secretField, typedRow } from './rows.js'
import type { SettingsContext } from './settings-page.js'
import { keyTrustRows } from './trust-rows.js'

/** A page for each provider: its key, its address, a way to see whether it answers, and the models it has named. */
export function providerPages(parts: SettingsContext): SettingDefinitionPage[] {
  const { plugin } = parts
  return providers.map((provider) => {
    const asked = keyTrustRows(provider.name, recipientOfKey(provider, plugin.settings), parts)
    const items: SettingDefinitionItem[] = [
      ...(provider.key ? [keyRow(parts, provider)] : []),
      addressRow(parts, provider),
      ...asked,
      {
        name: providerWords.test,
        desc: providerWords.testAbout,
        action: () => void test(parts, provider),
      },
      modelList(parts, provider),
    ]
    const desc = asked.length > 0 ? 'Approve the address before the key is used.' : stateOf(plugin, provider)
    return { type: 'page', name: provider.name, desc, items }
  })
}

/** The status and the facts of its row. */
function stateOf({ settings }: NotewrightPlugin, { id, name, key, address }: Provider): string {
  const models = settings.models.filter((model) => model.startsWith(`${id}/`))
  const hasKey = Boolean(settings.secrets[id])
  const { status, about } = providerRow({
    provider: id,
    name,
    configured: !key?.required || hasKey,
    address: settings.addresses[id] || address.standard,
    ...(hasKey && { key: { source: 'secret storage' } }),
    models,
  })
  return [status?.text, about].filter(Boolean).join('. ')
}

/** The models the provider has listed; selecting one makes it the model in use. */
function modelList({ plugin, text, save, onNews }: SettingsContext, { id }: Provider): SettingDefinitionItem {
  const found = plugin.settings.models.filter((name) => name.startsWith(`${id}/`))
  const choose = async (name: string) => {
    plugin.tell((await save('model', name)) ?? providerWords.chosen(name))
    onNews()
  }
  return {
    type: 'list',
    heading: 'Models',
    emptyState: 'None yet. Select Test connection to list them.',
    items: found.map((name) => ({
      name: visibleText(name).text,
      desc: name === text('model') ? 'Chosen.' : 'Choose it.',
      action: () => void choose(name),
    })),
  }
}

function keyRow({ plugin, onNews }: SettingsContext, { id, name, key }: Provider): SettingDefinitionItem {
  return {
    name: 'API key',
    desc: `Stored in Obsidian's secret storage on this device. The settings contain only its name.${key?.from ? ` Create a key at ${key.from}` : ''}`,
    aliases: [name],
    render(setting) {
      secretField(setting, plugin, plugin.settings.secrets[id], (secret) => {
        const { [id]: _, ...others } = plugin.settings.secrets
        const secrets = secret ? { ...others, [id]: secret } : others
        void plugin.saveSettings({ ...plugin.settings, secrets }).then(onNews)
      })
    },
  }
}

/** An address entered here counts as trusted with the key. */
function addressRow({ plugin, opened, onNews }: SettingsContext, provider: Provider): SettingDefinitionItem {
  const { id, address } = provider
  return typedRow({
    key: id,
    name: 'Base URL',
    desc:
      address.standard === undefined
        ? 'Where questions and the key are sent, with the version: http://127.0.0.1:8080/v1'
        : `Where questions and the key are sent. Without one: ${address.standard}`,
    placeholder: address.standard,
    value: () => plugin.settings.addresses[id] ?? '',
    async save(_key, written) {
      const url = String(written).trim()
      if (url !== '' && !/^https?:\/\/[^/\s]/i.test(url)) return 'The address must start with http:// or https://'
      const withAddress = () => {
        const { [id]: _, ...others } = plugin.settings.addresses
        return { ...plugin.settings, addresses: url ? { ...others, [id]: url } : others }
      }
      const recipient = recipientOfKey(provider, withAddress())
      if (recipient !== undefined) await opened.vault.recipients.trust(recipient)
      await plugin.saveSettings(withAddress())
      onNews()
      return undefined
    },
  })
}

const limitMs = 10_000

async function test({ plugin, opened, onNews }: SettingsContext, provider: Provider): Promise<void> {
  const { id, name } = provider
  const { environment, fetch, keys } = opened.vault.models()
  try {
    providerAddress(provider, environment)
    const signal = new AbortController().signal
    const found = await listModels(provider, { environment, fetch, keys, limitMs, signal, advice: pluginAdvice })
    const others = plugin.settings.models.filter((model) => !model.startsWith(`${id}/`))
    await plugin.saveSettings({ ...plugin.settings, models: [...others, ...found.map((model) => `${id}/${model}`)] })
    plugin.tell(providerWords.connected(name, found.length))
    onNews()
  } catch (error) {
    plugin.tell(providerWords.failed(name, noticeOf(failureOf(error))))
  }
}
