import type { JSONRPCMessage, RequestId, Transport } from '@modelcontextprotocol/server'
import { isRecord } from '../../../core/is-record.js'

/**
 * Answers a client's handshake at once, and hands everything on when the protocol's own machinery is loaded: that takes
 * longer than all the rest of the start. The machinery gets the handshake too; its answer to it is the same, and is dropped.
 */
export function greetingTransport(wire: Transport, greet: (wantedVersion: string) => unknown): Transport {
  const held: JSONRPCMessage[] = []
  let greeted: RequestId | undefined
  let isFirst = true
  let onmessage: Transport['onmessage']

  wire.onmessage = (message) => {
    if (isFirst) sayHello(message)
    isFirst = false
    if (onmessage === undefined) held.push(message)
    else onmessage(message)
  }

  function sayHello(message: JSONRPCMessage): void {
    if (!('method' in message) || !('id' in message) || message.method !== 'initialize') return
    const wanted = handshakeVersion(message.params)
    if (wanted === undefined) return
    greeted = message.id
    const result = greet(wanted) as Record<string, unknown>
    wire.send({ jsonrpc: '2.0', id: message.id, result }).catch(() => undefined)
  }

  return {
    get onmessage() {
      return onmessage
    },
    set onmessage(listener) {
      onmessage = listener
      if (listener !== undefined) for (const message of held.splice(0)) listener(message)
    },
    get onclose() {
      return wire.onclose
    },
    set onclose(listener) {
      wire.onclose = listener
    },
    // It runs already.
    start: async () => {},
    async send(message, options) {
      if (greeted !== undefined && !('method' in message) && message.id === greeted) {
        greeted = undefined
        return
      }
      await wire.send(message, options)
    },
    close: () => wire.close(),
  }
}

/** undefined for a handshake that the machinery would refuse, or that claims to be of a later revision. */
function handshakeVersion(params: unknown): string | undefined {
  if (!isRecord(params) || params._meta !== undefined || !isRecord(params.capabilities)) return undefined
  const { protocolVersion, clientInfo } = params
  const isKnown = isRecord(clientInfo) && typeof clientInfo.name === 'string' && typeof clientInfo.version === 'string'
  return isKnown && typeof protocolVersion === 'string' ? protocolVersion : undefined
}
