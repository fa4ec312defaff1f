import { canonicalJson } from '../../../core/approval/index.js'
import type { Config, ServerSetting } from '../../../core/config/index.js'
import { hashBytes } from '../../../core/vault/index.js'
import type { KnownServers } from './known-servers.js'
import { vaultServers } from './vault-servers.js'

/** A server that is configured somewhere, and whether it may be started. */
export interface ListedServer {
  name: string
  from: 'settings' | 'vault'
  setting: ServerSetting
  /** Of this entry as it is: another hash has to be trusted anew. */
  hash: string
  /** `hidden`: the settings have one of the same name. */
  state: 'on' | 'off' | 'untrusted' | 'hidden'
}

export interface ServerPlaces {
  settings: Pick<Config, 'mcpServers'>
  /** Real path of the vault's folder, where there is one. */
  root?: string
  known: KnownServers
  onTrouble(text: string): void
}

/** All servers of the settings and of the vault. Starts none. */
export async function listServers({ settings, root, known, onTrouble }: ServerPlaces): Promise<ListedServer[]> {
  const own = settings.mcpServers ?? {}
  const brought = root === undefined ? {} : await vaultServers(root, onTrouble)
  const listed = Object.entries(own).map(([name, setting]): ListedServer => {
    return { name, from: 'settings', setting, hash: hashOf(setting), state: setting.disabled ? 'off' : 'on' }
  })
  for (const [name, setting] of Object.entries(brought)) {
    const hash = hashOf(setting)
    const isTrusted = await known.isTrusted(root!, name, hash)
    const state = Object.hasOwn(own, name) ? 'hidden' : !isTrusted ? 'untrusted' : setting.disabled ? 'off' : 'on'
    listed.push({ name, from: 'vault', setting, hash, state })
  }
  return listed
}

const hashOf = (setting: ServerSetting): string => hashBytes(new TextEncoder().encode(canonicalJson(setting)))
