import type { CaseChecks } from '../security-case.js'
import { abortChecks } from './abort.js'
import { echoedKeyChecks } from './echoed-keys.js'
import { faultyProviderChecks } from './faulty-provider.js'
import { floodChecks } from './floods.js'
import { forgedCallChecks } from './forged-calls.js'
import { forgedRoleChecks } from './forged-roles.js'
import { hiddenTextChecks } from './hidden-text.js'
import { orderedDeletionChecks } from './ordered-deletions.js'

/** Attacks by a model or a provider against the whole agent. Attacks by MCP servers are checked in another layer. */
export const agentCases: CaseChecks = {
  I01: orderedDeletionChecks,
  I02: hiddenTextChecks,
  I03: forgedCallChecks,
  I04: forgedRoleChecks,
  K01: echoedKeyChecks,
  L01: faultyProviderChecks,
  L02: abortChecks,
  L04: floodChecks,
}
