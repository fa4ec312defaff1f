import { describe, expect, it } from 'vitest'
import type { TrustedServer } from '../../core/mcp/index.js'
import { findProvider } from '../../core/providers/index.js'
import { keyRecipients, recipientOfKey, recipientOfSearchKey, secretKeys } from './keys.js'
import type { TrustStore } from './servers.js'
import type { PluginSettings } from './settings.js'

function memoryTrust(): TrustStore {
  let entries: TrustedServer[] = []
  return {
    all: async () => entries,
    async add(entry) {
      entries = [...entries.filter(({ server }) => server !== entry.server), entry]
    },
    async remove(server) {
      entries = entries.filter((entry) => entry.server !== server)
    },
  }
}

const withAddress = (addresses: Record<string, string>) =>
  ({ addresses, secrets: { openai: 'my-key', compatible: 'my-key' } }) as unknown as PluginSettings
const openai = findProvider('openai')

async function keyFor(addresses: Record<string, string>, trust: TrustStore, provider = openai) {
  const keys = secretKeys(withAddress(addresses), () => 'sk-1', await keyRecipients(trust))
  return (await keys(provider))?.reveal()
}

describe('the key of a provider', () => {
  it('goes to the usual address without a question, however that is written', async () => {
    for (const address of [
      '',
      'https://api.openai.com',
      'https://API.openai.com:443/v1/',
      'https://api.openai.com/v2',
    ]) {
      expect([address, await keyFor({ openai: address }, memoryTrust())]).toEqual([address, 'sk-1'])
    }
  })

  it('is sent nowhere else before the user has agreed, and a refusal names the recipient', async () => {
    for (const address of [
      'https://api.openai.com.evil.example/v1',
      'https://api.openai.com@evil.example/v1',
      'http://api.openai.com/v1',
      'https://api.openai.com:8443/v1',
    ]) {
      const { origin } = new URL(address)
      await expect(keyFor({ openai: address }, memoryTrust())).rejects.toThrow(
        `not sent to ${origin} until you approve it on this device`,
      )
    }
    // It has no usual address.
    await expect(keyFor({ compatible: 'proxy.example' }, memoryTrust(), findProvider('compatible'))).rejects.toThrow(
      'http://proxy.example',
    )
  })

  it('goes to an address that was agreed to, also after a restart, and not for another provider', async () => {
    const trust = memoryTrust()
    const addresses = { openai: 'https://proxy.example/v1', compatible: 'https://proxy.example/v1' }
    const recipients = await keyRecipients(trust)
    await recipients.trust(recipientOfKey(openai, withAddress(addresses))!)
    expect(await keyFor(addresses, trust)).toBe('sk-1')
    expect(await keyFor({ openai: 'https://proxy.example/other' }, trust)).toBe('sk-1')
    await expect(keyFor({ openai: 'https://proxy.example:8443/v1' }, trust)).rejects.toThrow('8443')
    await expect(keyFor(addresses, trust, findProvider('compatible'))).rejects.toThrow('https://proxy.example')
  })

  it('is not asked about where there is none, or no address that can be understood', async () => {
    const recipients = await keyRecipients(memoryTrust())
    const keys = secretKeys(withAddress({ openai: 'https://proxy.example' }), () => null, recipients)
    expect(await keys(openai)).toBe(undefined)
    expect(recipientOfKey(openai, withAddress({ openai: 'file:///etc/passwd' }))).toBe(undefined)
    expect(recipientOfKey(findProvider('compatible'), withAddress({}))).toBe(undefined)
  })
})

it('the key of a search goes to the usual address of an engine alone', () => {
  const at = (searchEngine: 'brave' | 'custom', searchUrl?: string) =>
    recipientOfSearchKey({ searchEngine, searchUrl } as never)
  expect(at('brave')).toMatchObject({ isUsual: true })
  expect(at('brave', 'https://api.search.brave.com/other')).toMatchObject({ isUsual: true })
  expect(at('brave', 'https://evil.example/')).toMatchObject({ isUsual: false, origin: 'https://evil.example' })
  expect(at('custom', 'https://api.search.brave.com/')).toMatchObject({ isUsual: false })
  expect(at('custom')).toBe(undefined)
})
