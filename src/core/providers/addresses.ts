// Addresses of providers: base URLs as users write them, and which machines they lead to.

import { Failure } from '../errors.js'

/** Normalizes a base URL as users write it: with or without scheme, version and final slash. */
export function baseUrl(text: string, name: string, version: string): string {
  const given = text.trim()
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(given) ? given : `http://${given}`
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
    throw new Failure('invalid-input', `${name} is not a valid web address.`, {
      hint: `Write it like http://127.0.0.1:8080${version}`,
    })
  }
  const url = new URL(address)
  const path = url.pathname.replace(/\/+$/, '')
  // A custom path is kept: a proxy knows where its API is.
  const whole = path === '' || path === parentOf(version) ? version : path
  return `${url.protocol}//${credentials(url)}${url.host}${whole}`
}

/** An address for display: the origin, without credentials. */
export function displayAddress(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url
}

export function isLoopback(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { hostname } = new URL(url)
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}

/** True for this machine and for the local network. */
export function isLocalNetwork(url: string): boolean {
  if (isLoopback(url)) return true
  if (!URL.canParse(url)) return false
  const { hostname } = new URL(url)
  return (
    /^(10\.\d+|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\.\d+\.\d+$/.test(hostname) ||
    /^\[f[cde]/i.test(hostname) ||
    /\.(local|lan|internal|home\.arpa)$/i.test(hostname) ||
    !/[.:]/.test(hostname)
  )
}

const parentOf = (version: string): string => version.slice(0, version.lastIndexOf('/'))

const credentials = ({ username, password }: URL): string =>
  username === '' ? '' : `${username}${password && `:${password}`}@`

/**
 * Reads OLLAMA_HOST as Ollama does: scheme and port may be missing. It is also the address the server listens on, so
 * `0.0.0.0` and `[::]` mean this machine for a client.
 */
export function ollamaHost(text: string): string {
  const [, scheme, rest] = /^(?:(https?):\/\/)?(.*)$/i.exec(text.trim()) ?? []
  const [, hostAndPort = '', path = ''] = /^([^/]*)(\/.*)?$/.exec(rest ?? '') ?? []
  const [host, port] = splitPort(hostAndPort)
  // With a scheme, the default port of the scheme counts.
  const wantedPort = port || (scheme === undefined ? '11434' : '')
  const url = `${scheme?.toLowerCase() ?? 'http'}://${reachableHost(host)}${wantedPort && `:${wantedPort}`}`
  return baseUrl(`${url}${path.replace(/\/+$/, '').replace(/\/v1$/, '')}/v1`, 'OLLAMA_HOST', '/v1')
}

function splitPort(text: string): [host: string, port: string] {
  const isBareIpv6 = (text.match(/:/g)?.length ?? 0) > 1 && !text.startsWith('[')
  if (isBareIpv6) return [`[${text}]`, '']
  const [, host, port = ''] = /^(.*?)(?::(\d*))?$/.exec(text) ?? []
  return [host ?? '', port]
}

function reachableHost(host: string): string {
  if (host === '' || host === '0.0.0.0') return '127.0.0.1'
  return host === '[::]' ? '[::1]' : host
}
