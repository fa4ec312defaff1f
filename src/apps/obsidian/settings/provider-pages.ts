import type { SettingDefinitionItem, SettingDefinitionPage } from 'obsidian'
import { addressOf, listModels, type Provider, providers } from '../../../core/providers/index.js'
import { visibleText } from '../../../core/text/index.js'
import { pluginAdvice, recipientOfKey } from '../../../hosts/obsidian/index.js'
import { failureOf, noticeOf } from '../failure-of.js'
import type { NotewrightPlugin } from '../plugin.js'
import { keyTrustRows } from './key-trust-rows.js'
import { secretField, typedRow } from './rows.js'
import type { PageParts } from './settings-page.js'

/** A page for each provider: its key, its address, a way to see whether it answers, and the models it has named. */
export function providerPages(parts: PageParts): SettingDefinitionPage[] {
  const { plugin } = parts
  return providers.map((provider) => {
    const asked = keyTrustRows(provider.name, recipientOfKey(provider, plugin.settings), parts)
    const items: SettingDefinitionItem[] = [
      ...(provider.key ? [keyRow(parts, provider)] : []),
      addressRow(parts, provider),
      ...asked,
      {
        name: 'Test connection',
        desc: 'Asks the server for its models. Nothing of your notes is sent.',
        action: () => void test(parts, provider),
      },
      modelList(parts, provider),
    ]
    const desc = asked.length > 0 ? 'Its key waits for your yes to the address.' : stateOf(plugin, provider)
    return { type: 'page', name: provider.name, desc, items }
  })
}

function stateOf({ settings }: NotewrightPlugin, { id, key }: Provider): string {
  if (settings.models.some((name) => name.startsWith(`${id}/`))) return 'Connected.'
  return key?.required && !settings.secrets[id] ? 'No key yet.' : ''
}

/** Those it has named when it was asked; one that is chosen answers from then on. */
function modelList({ plugin, text, save, onNews }: PageParts, { id }: Provider): SettingDefinitionItem {
  const found = plugin.settings.models.filter((name) => name.startsWith(`${id}/`))
  const choose = async (name: string) => {
    plugin.tell((await save('model', name)) ?? `${name} answers from now on.`)
    onNews()
  }
  return {
    type: 'list',
    heading: 'Models',
    emptyState: 'None yet. Test connection asks for them.',
    items: found.map((name) => ({
      name: visibleText(name).text,
      desc: name === text('model') ? 'Chosen.' : 'Choose it.',
      action: () => void choose(name),
    })),
  }
}

function keyRow({ plugin, onNews }: PageParts, { id, name, key }: Provider): SettingDefinitionItem {
  return {
    name: 'API key',
    desc: `Kept in Obsidian's secret storage on this device; only its name is stored with the settings.${key?.from ? ` Keys are made at ${key.from}` : ''}`,
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

/** Whoever enters an address here means the key for it. */
function addressRow({ plugin, opened, onNews }: PageParts, provider: Provider): SettingDefinitionItem {
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
      if (url !== '' && !/^https?:\/\/[^/\s]/i.test(url)) return 'It begins with http:// or https://'
      const { [id]: _, ...others } = plugin.settings.addresses
      const next = { ...plugin.settings, addresses: url ? { ...others, [id]: url } : others }
      const recipient = recipientOfKey(provider, next)
      if (recipient !== undefined) await opened.vault.recipients.trust(recipient)
      await plugin.saveSettings(next)
      onNews()
      return undefined
    },
  })
}

const limitMs = 10_000

async function test({ plugin, opened, onNews }: PageParts, provider: Provider): Promise<void> {
  const { id, name } = provider
  const { environment, fetch, keys } = opened.vault.models()
  try {
    addressOf(provider, environment)
    const signal = new AbortController().signal
    const found = await listModels(provider, { environment, fetch, keys, limitMs, signal, advice: pluginAdvice })
    const others = plugin.settings.models.filter((model) => !model.startsWith(`${id}/`))
    await plugin.saveSettings({ ...plugin.settings, models: [...others, ...found.map((model) => `${id}/${model}`)] })
    plugin.tell(`${name} answers, with ${found.length} models.`)
    onNews()
  } catch (error) {
    plugin.tell(`${name} cannot be used: ${noticeOf(failureOf(error))}`)
  }
}
