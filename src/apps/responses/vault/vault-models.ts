import type { Mode } from '../../../core/agent/index.js'

/** The vault as a model, by the names clients know: each is a way to go about a request. */
export const vaultModels: Readonly<Record<string, Mode | undefined>> = {
  notewright: 'agent',
  'notewright/vault-qa': 'vault-qa',
  'notewright/plan': 'plan',
  'notewright/chat': 'chat',
}
