import type { Guard, Provenance, Ruling } from '../guard.js'

/** A guard that lets everything pass, or rules as told; it remembers what came into the conversation. */
export function openGuard(...rulings: Ruling[]): Guard & { observed: Provenance[] } {
  const observed: Provenance[] = []
  return {
    observed,
    rule: async () => rulings.shift() ?? { verdict: 'allow', decision: 'allowed', rule: 'test' },
    forbids: async () => undefined,
    screen: (context) => context,
    observe: (provenance) => void observed.push(...provenance),
  }
}
