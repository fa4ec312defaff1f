import { canonicalJson } from '../../approval/index.js'
import type { ServerSetting } from '../../config/index.js'
import { hashBytes } from '../../vault/index.js'

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

/** An entry as the person has trusted it. */
export interface TrustedServer {
  server: string
  hash: string
}

export interface ServerPlaces {
  settings: Readonly<Record<string, ServerSetting>>
  /** What the vault brings along. */
  vault: Readonly<Record<string, ServerSetting>>
  trusted: readonly TrustedServer[]
  /** Whether an entry of the settings counts without having been trusted; all of them unless told. */
  isOwn?: (name: string, setting: ServerSetting) => boolean
}

/** All servers of the settings and of the vault. Starts none. */
export function listServers({ settings, vault, trusted, isOwn = () => true }: ServerPlaces): ListedServer[] {
  const listed = (from: ListedServer['from'], name: string, setting: ServerSetting): ListedServer => {
    const hash = hashBytes(new TextEncoder().encode(canonicalJson(setting)))
    const isTrusted =
      (from === 'settings' && isOwn(name, setting)) || trusted.some((one) => one.server === name && one.hash === hash)
    const isHidden = from === 'vault' && Object.hasOwn(settings, name)
    const state = isHidden ? 'hidden' : !isTrusted ? 'untrusted' : setting.disabled ? 'off' : 'on'
    return { name, from, setting, hash, state }
  }
  return [
    ...Object.entries(settings).map(([name, setting]) => listed('settings', name, setting)),
    ...Object.entries(vault).map(([name, setting]) => listed('vault', name, setting)),
  ]
}
