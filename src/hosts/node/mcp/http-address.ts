import { type HttpSetting, type ListedServer, serverAddress } from '../../../core/mcp/index.js'
import type { KeptHeaders } from './kept-headers.js'

export interface HeaderSources {
  environment: Record<string, string | undefined>
  headers: KeptHeaders
}

/** Where a server is and what it is sent along: for one of the settings, what was kept for it too. */
export function httpAddress(
  { name, from }: Pick<ListedServer, 'name' | 'from'>,
  setting: HttpSetting,
  { environment, headers }: HeaderSources,
): Promise<{ url: string; headers: Record<string, string> }> {
  return serverAddress(name, setting, {
    environment,
    ...(from === 'settings' && { keptFor: (url: string) => headers.of(name, url) }),
  })
}
