import type { ServerSetting } from '../../config/index.js'
import { Failure } from '../../errors.js'
import { isNearby } from '../../providers/index.js'
import { expandVariables } from './expand-variables.js'

export type HttpSetting = Extract<ServerSetting, { url: string }>

export interface AddressSources {
  environment: Record<string, string | undefined>
  /** Headers that are kept apart from the entry, for this address. */
  keptFor?: (url: string) => Record<string, string> | Promise<Record<string, string>>
}

/** Where a server is and what it is sent along: variables filled in, and what was kept for it. */
export async function serverAddress(
  name: string,
  setting: HttpSetting,
  { environment, keptFor }: AddressSources,
): Promise<{ url: string; headers: Record<string, string> }> {
  const expand = (text: string) => expandVariables(text, environment, `The MCP server ${name}`)
  const url = checked(name, expand(setting.url))
  const written = Object.entries(setting.headers ?? {}).map(([header, value]) => [header, expand(value)])
  const headers = { ...Object.fromEntries(written), ...(await keptFor?.(url)) } as Record<string, string>
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
