import type { ProposedCall } from '../../tools/index.js'
import { describeSteps, hashBytes } from '../../vault/index.js'
import { canonicalJson } from './canonical-json.js'

/**
 * The hash that binds an approval to what was shown: tool, arguments, every byte that would be written and the bytes
 * it was planned from, everything that would be sent, and the session. If any of it changes, the hash does.
 */
export function bindCall(proposed: ProposedCall, kind: 'call' | 'executable'): string {
  const { tool, source, session, callId, input, effects, notes, sends, pick, plan } = proposed
  return hashText(
    canonicalJson({
      kind,
      tool: tool.name,
      source,
      session,
      callId,
      input,
      effects,
      notes,
      sends,
      pick: pick ?? null,
      changes: plan ? { id: plan.changes.id, ...describeSteps(plan.changes) } : null,
    }),
  )
}

/** The same call asked again, whatever the notes are like by now. */
export function sameCall({ tool, source, session, input }: ProposedCall, kind: 'call' | 'executable'): string {
  return hashText(canonicalJson({ kind, tool: tool.name, source, session, input }))
}

const hashText = (text: string): string => hashBytes(new TextEncoder().encode(text))
