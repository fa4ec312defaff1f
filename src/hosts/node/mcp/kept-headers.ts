import { Failure } from '../../../core/errors.js'
import { isRecord } from '../../../core/is-record.js'
import type { SecretStore } from '../keys/index.js'

/** Headers that may hold secrets, kept where keys are. They go to the address they were given for, and to no other. */
export interface KeptHeaders {
  of(server: string, url: string): Promise<Record<string, string>>
  keep(server: string, url: string, headers: Record<string, string>): Promise<void>
  forget(server: string): Promise<void>
}

export function keptHeaders(secrets: SecretStore): KeptHeaders {
  const nameOf = (server: string) => `mcp-${server}`
  return {
    async of(server, url) {
      const kept = await secrets.read(nameOf(server))
      return kept === undefined ? {} : headersIn(kept.text, server, url)
    },
    async keep(server, url, headers) {
      await secrets.write(nameOf(server), JSON.stringify({ server, origin: originOf(url), headers }))
    },
    async forget(server) {
      await secrets.remove(nameOf(server))
    },
  }
}

/** On some systems `Wiki` and `wiki` are one file: what it holds says whose it is. */
function headersIn(text: string, server: string, url: string): Record<string, string> {
  try {
    const kept: unknown = JSON.parse(text)
    if (!isRecord(kept) || kept.server !== server || kept.origin !== originOf(url) || !isRecord(kept.headers)) return {}
    return kept.headers as Record<string, string>
  } catch {
    return {}
  }
}

function originOf(url: string): string {
  if (URL.canParse(url)) return new URL(url).origin
  throw new Failure('invalid-input', 'Not a web address.', { hint: 'Write it like https://example.org/mcp' })
}
