import type { Check } from '../security-case.js'

export function damagedIndexChecks(): Check[] {
  return []
}
