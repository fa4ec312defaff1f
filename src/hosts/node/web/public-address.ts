import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** True for a unicast address of the public internet; everything with a special purpose is not. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false
  const parsed = ipaddr.parse(address)
  if (parsed.kind() === 'ipv4') return parsed.range() === 'unicast'
  const long = parsed as ipaddr.IPv6
  if (long.zoneId) return false
  // On networks without IPv4 the resolver hides IPv4 addresses in this prefix; the gateway sends on to what is inside.
  if (long.match(translated)) return isPublicAddress(embedded(long))
  // Whatever is not assigned yet (or is ::1.2.3.4) counts as unicast there, so ask for the global range too.
  return long.range() === 'unicast' && long.match(globalUnicast)
}

const translated = ipaddr.parseCIDR('64:ff9b::/96')
const globalUnicast = ipaddr.parseCIDR('2000::/3')

function embedded(address: ipaddr.IPv6): string {
  return address.toByteArray().slice(12).join('.')
}
