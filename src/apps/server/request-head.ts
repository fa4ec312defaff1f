import type { IncomingMessage } from 'node:http'

/** What is known of a request before its body is read. */
export interface RequestHead {
  method: string
  /** Without the query. */
  path: string
  /** Everything that was sent under a name; some must not be sent twice. */
  all(name: string): string[]
  /** The only value; undefined when there is none or several. */
  one(name: string): string | undefined
}

export function requestHead({ method = 'GET', url = '/', rawHeaders }: IncomingMessage): RequestHead {
  const sent = new Map<string, string[]>()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at].toLowerCase()
    const value = rawHeaders[at + 1].trim()
    const before = sent.get(name)
    if (before === undefined) sent.set(name, [value])
    else before.push(value)
  }
  const all = (name: string) => sent.get(name) ?? []
  return {
    method,
    path: url.split('?', 1)[0],
    all,
    one(name) {
      const values = all(name)
      return values.length === 1 ? values[0] : undefined
    },
  }
}
