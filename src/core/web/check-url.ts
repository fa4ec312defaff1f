import { Failure } from '../errors.js'

interface UrlRules {
  ports: readonly number[]
  /** The address comes from the settings: any port and any host name is allowed. */
  configured: boolean
  /** The address comes from a server's redirect, and a refusal says so. */
  isRedirect?: boolean
}

const longest = 8_000
const schemes = ['http:', 'https:']

/** Host names of this machine, its network or its cloud's metadata, whatever they resolve to. */
const localName = /^(?:localhost|metadata|instance-data)$|(?:^|\.)(?:localhost|local|internal|intranet|lan|home\.arpa)$/

/** Checks an address before anything is looked up. Returns the URL that will be used. */
export function checkUrl(text: string, { ports, configured, isRedirect }: UrlRules): URL {
  const refused = (reason: string) => new Failure('invalid-input', `${prefix(isRedirect)}: the address ${reason}.`)
  if (text.length > longest) throw refused('is too long')
  // `URL` would drop line breaks and read a backslash as a slash: such addresses are meant to confuse.
  // eslint-disable-next-line no-control-regex -- control characters are what it looks for
  if (/[\u0000-\u001f\u007f\\]/.test(text)) throw refused('has a control character or a backslash')
  if (!URL.canParse(text)) throw refused('is not valid')
  const url = new URL(text)
  if (!schemes.includes(url.protocol))
    throw refused(`begins with ${url.protocol.slice(0, 20)}; only http and https are loaded`)
  if (url.username !== '' || url.password !== '') throw refused('contains a user name or password')
  if (configured) return url
  if (!ports.includes(portOf(url))) throw refused(`uses port ${portOf(url)}, but only ${ports.join(', ')} are allowed`)
  if (localName.test(url.hostname.replace(/\.+$/, ''))) throw notPublic(url.hostname, isRedirect)
  return url
}

export function portOf(url: URL): number {
  return Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
}

export function notPublic(host: string, isRedirect = false): Failure {
  return new Failure('denied', `${prefix(isRedirect)}: ${host} is not on the public internet.`, {
    hint: 'Only public web pages can be loaded.',
  })
}

const prefix = (isRedirect = false): string => (isRedirect ? 'Redirect not followed' : 'Not loaded')

export function tooManyRedirects(limit: number, { host }: URL): Failure {
  return new Failure('network', `More than ${limit} redirects, the last from ${host}.`)
}

/** The user approved one site, and the page is on another. */
export function redirectsElsewhere(from: string, to: string): Failure {
  return new Failure('denied', `${from} redirects to another site, which was not approved: ${to}`, {
    hint: 'To load that page, request its URL.',
  })
}

export function pageTooSlow(ms: number): Failure {
  return new Failure('timeout', `The page did not load within ${ms / 1000} seconds.`)
}
