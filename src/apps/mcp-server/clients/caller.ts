import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  type Implementation,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'

/** Who makes a request, as far as they say so themselves. */
export interface Caller {
  /** Names sessions and changes: `claude-code`. */
  name: string
  /** Can put a form before a person. */
  canAsk: boolean
  /** A field of a form can be a list to tick. Older clients know only single values. */
  canTick: boolean
  /** Speaks the revision without sessions and without requests from the server. */
  isModern: boolean
}

export function callerOf(server: Server, { mcpReq: { envelope } }: Pick<ServerContext, 'mcpReq'>): Caller {
  const own = envelope as Record<string, unknown> | undefined
  const isModern = own?.[CLIENT_CAPABILITIES_META_KEY] !== undefined
  const info = (own?.[CLIENT_INFO_META_KEY] ?? server.getClientVersion()) as Implementation | undefined
  const capabilities = (own?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities()) as
    | ClientCapabilities
    | undefined
  const version = server.getNegotiatedProtocolVersion() ?? ''
  return { name: clientName(info?.name), canAsk: knowsForms(capabilities), canTick: version >= '2025-11-25', isModern }
}

/** A client that says nothing of how it asks means forms: there was nothing else when it was written. */
function knowsForms({ elicitation }: ClientCapabilities = {}): boolean {
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)
}

/** What can stand in the log, in the history and in an id. */
function clientName(given: unknown): string {
  const plain = String(given ?? '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
  return plain.slice(0, 40) || 'client'
}
