import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { Failure } from '../../../core/errors.js'
import { notPublic } from '../../../core/web/index.js'
import { isPublicAddress } from './public-address.js'

/** Every address of a name. */
export type Resolve = (host: string) => Promise<string[]>

export const systemResolve: Resolve = async (host) => {
  const found = await lookup(host, { all: true, verbatim: true })
  return found.map(({ address }) => address)
}

/** The addresses to connect to. One that is not public spoils them all: a name has no reason to have both. */
export async function checkedAddresses(url: URL, resolve: Resolve, configured: boolean): Promise<string[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(host) ? [host] : await resolveName(host, resolve)
  if (!configured && !addresses.every(isPublicAddress)) throw notPublic(url.hostname)
  return addresses
}

async function resolveName(host: string, resolve: Resolve): Promise<string[]> {
  const addresses = await resolve(host).catch((error: NodeJS.ErrnoException) => {
    throw new Failure('network', `${host} could not be found${error.code ? ` (${error.code})` : ''}.`)
  })
  const usable = addresses.filter((address) => isIP(address) !== 0)
  if (usable.length === 0 || usable.length < addresses.length) {
    throw new Failure('network', `${host} could not be found.`)
  }
  return usable
}
