import type { ServerSetting } from '../../../core/config/index.js'
import { Failure } from '../../../core/errors.js'
import { isNearby } from '../../../core/providers/index.js'
import { expandVariables } from './expand-variables.js'
import type { KeptHeaders } from './kept-headers.js'
import type { ListedServer } from './list-servers.js'

export type HttpSetting = Extract<ServerSetting, { url: string }>

export interface HeaderSources {
  environment: Record<string, string | undefined>
  headers: KeptHeaders
}

/** Where a server is and what it is sent along: variables filled in, and for one of the settings what was kept for it. */
export async function httpAddress(
  { name, from }: Pick<ListedServer, 'name' | 'from'>,
  setting: HttpSetting,
  { environment, headers: kept }: HeaderSources,
): Promise<{ url: string; headers: Record<string, string> }> {
  const expand = (text: string) => expandVariables(text, environment, `The MCP server ${name}`)
  const url = checked(name, expand(setting.url))
  const written = Object.entries(setting.headers ?? {}).map(([header, value]) => [header, expand(value)])
  const headers = { ...Object.fromEntries(written), ...(from === 'settings' && (await kept.of(name, url))) }
  if (Object.keys(headers).length > 0 && !url.startsWith('https:') && !isNearby(url)) {
    throw new Failure('denied', `What the MCP server ${name} is sent as headers could be read on the way.`, {
      hint: 'Use its https address.',
    })
  }
  return { url, headers }
}

/** An address without what may be secret in it. */
export function shownUrl(url: string): string {
  return url.replace(/\?[\s\S]*$/, '?…')
}

function checked(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return url.href
  throw new Failure('invalid-input', `The MCP server ${name} has no address that can be used.`, {
    hint: 'Write it like https://example.org/mcp, without a name or password in it: those are headers.',
  })
}
