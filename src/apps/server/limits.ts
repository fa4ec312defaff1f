/** What one server bears. */
export interface Limits {
  /** Of one body: a conversation with several images. */
  bodyBytes: number
  /** Of all bodies that are being read. */
  bodiesBytes: number
  /** How long a client may take for its head, and for its whole request. */
  headMs: number
  requestMs: number
  /** Requests at work, with their streams. */
  requests: number
  /** Connections. When all are taken, the one that has been idle longest makes room. */
  connections: number
  headerBytes: number
  /** How deep JSON may be nested: nobody means more, and whoever walks it does so by recursion. */
  jsonDepth: number
  /** How long open replies may go on when the server is told to stop. */
  goodbyeMs: number
}

export const usualLimits: Limits = {
  bodyBytes: 20_000_000,
  bodiesBytes: 80_000_000,
  headMs: 10_000,
  requestMs: 60_000,
  requests: 400,
  connections: 800,
  headerBytes: 16_384,
  jsonDepth: 200,
  goodbyeMs: 5000,
}
