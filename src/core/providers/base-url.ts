import { Failure } from '../errors.js'

/** A base URL as people write it: with or without scheme, version and final slash. */
export function baseUrl(text: string, name: string, version: string): string {
  const given = text.trim()
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(given) ? given : `http://${given}`
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
    throw new Failure('invalid-input', `${name} is not a web address.`, {
      hint: `Write it like http://127.0.0.1:8080${version}`,
    })
  }
  const url = new URL(address)
  const path = url.pathname.replace(/\/+$/, '')
  // A path of its own is taken as it stands: a proxy knows best where its API is.
  const whole = path === '' || path === parentOf(version) ? version : path
  return `${url.protocol}//${credentials(url)}${url.host}${whole}`
}

/** An address as it may be shown: where to, but not as whom. */
export function shownAddress(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url
}

export function isLoopback(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { hostname } = new URL(url)
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}

/** This machine, or one in the same house. */
export function isNearby(url: string): boolean {
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
