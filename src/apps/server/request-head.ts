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
  const all = (name: string) =>
    rawHeaders.flatMap((value, at) => (at % 2 === 1 && rawHeaders[at - 1].toLowerCase() === name ? [value.trim()] : []))
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
