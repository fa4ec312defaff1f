import { Failure } from '../errors.js'

export interface UrlRules {
  ports: readonly number[]
  /** The person named this address in the settings: any port, and any name. */
  configured: boolean
}

const longest = 8_000
const schemes = ['http:', 'https:']

/** Names that stand for this machine, its network or its cloud's metadata, whatever they resolve to. */
const localName = /^(?:localhost|metadata|instance-data)$|(?:^|\.)(?:localhost|local|internal|intranet|lan|home\.arpa)$/

/** The address as it will be used, or a refusal before anything is looked up. */
export function checkUrl(text: string, { ports, configured }: UrlRules): URL {
  if (text.length > longest) throw refused('is too long')
  // URL would drop line ends and take a backslash for a slash; whoever writes them means to confuse.
  // eslint-disable-next-line no-control-regex -- control characters are what it looks for
  if (/[\u0000-\u001f\u007f\\]/.test(text)) throw refused('has a control character or a backslash')
  if (!URL.canParse(text)) throw refused('cannot be read')
  const url = new URL(text)
  if (!schemes.includes(url.protocol))
    throw refused(`begins with ${url.protocol.slice(0, 20)}; only http and https are loaded`)
  if (url.username !== '' || url.password !== '') throw refused('carries a user name or password')
  if (configured) return url
  if (!ports.includes(portOf(url))) throw refused(`names port ${portOf(url)}; allowed are ${ports.join(', ')}`)
  if (localName.test(url.hostname.replace(/\.+$/, ''))) throw notPublic(url.hostname)
  return url
}

export function portOf(url: URL): number {
  return Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
}

export function notPublic(host: string): Failure {
  return new Failure('denied', `Not loaded: ${host} is not on the public internet.`, {
    hint: 'Only public web pages can be loaded.',
  })
}

function refused(reason: string): Failure {
  return new Failure('invalid-input', `Not loaded: the address ${reason}.`)
}
