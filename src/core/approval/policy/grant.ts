import type { Rule } from '../rules/index.js'

/** A remembered decision of the person: a rule that allows, for as long as its scope lasts. */
export interface Grant {
  id: string
  /** Always `allow`. */
  rule: Rule
  scope: GrantScope
}

export type GrantScope =
  | { kind: 'turn'; session: string; turn: string }
  | { kind: 'session'; session: string }
  /** Always, in this vault. */
  | { kind: 'vault' }

/** Whether a grant still holds for a call of this session and turn. */
export function isInForce({ scope }: Grant, session: string, turn: string | undefined): boolean {
  if (scope.kind === 'vault') return true
  return scope.session === session && (scope.kind === 'session' || scope.turn === turn)
}
