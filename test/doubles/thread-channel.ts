import type { ThreadPort } from '../../src/core/index/workers/rpc-over-port.js'

/** Two ends that copy what goes through them, as threads do; here both belong to one. */
export function channel(): { here: ThreadPort; there: ThreadPort; close(): void } {
  const { structuredClone } = globalThis as unknown as { structuredClone: <T>(value: T) => T }
  let isOpen = true
  const end = (other: () => ThreadPort): ThreadPort => ({
    postMessage(message) {
      const data = structuredClone(message)
      setTimeout(() => isOpen && other().onmessage?.({ data } as never))
    },
    onmessage: null,
  })
  const here: ThreadPort = end(() => there)
  const there: ThreadPort = end(() => here)
  return {
    here,
    there,
    close() {
      isOpen = false
    },
  }
}
