/** A name that sorts by its day, short enough to be typed: `2026-03-01-k3f9a2`. */
export function newSessionId(now: Date): string {
  const random = crypto.getRandomValues(new Uint8Array(6))
  return `${now.toISOString().slice(0, 10)}-${[...random].map((byte) => (byte % 36).toString(36)).join('')}`
}
