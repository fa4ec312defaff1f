import { type HeaderSources, httpAddress } from './http-address.js'
import { listServers, type ServerPlaces } from './list-servers.js'

/** What servers are sent as headers: it must not get into a log, whoever repeats it. */
export async function serverSecrets(places: Omit<ServerPlaces, 'onTrouble'> & HeaderSources): Promise<string[]> {
  const listed = await listServers({ ...places, onTrouble: () => {} })
  const found = await Promise.all(
    listed.map(async (server) => {
      const { setting, state } = server
      if (state !== 'on' || !('url' in setting)) return []
      // What is wrong with it is told when it is used.
      const address = await httpAddress(server, setting, places).catch(() => undefined)
      return Object.values(address?.headers ?? {}).flatMap(withoutScheme)
    }),
  )
  return found.flat()
}

/** `Bearer KEY` is a secret, and so is KEY. */
function withoutScheme(value: string): string[] {
  const key = value.slice(value.lastIndexOf(' ') + 1)
  return [value, ...(key.length >= 6 && key !== value ? [key] : [])]
}
