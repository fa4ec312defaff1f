import type { ProposedCall } from '../../tools/index.js'
import { type Change, hashBytes } from '../../vault/index.js'
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
      changes: plan
        ? { id: plan.changes.id, emptied: plan.changes.emptied, steps: plan.changes.changes.map(boundStep) }
        : null,
    }),
  )
}

/** The same call asked again, whatever the notes are like by now. */
export function sameCall({ tool, source, session, input }: ProposedCall, kind: 'call' | 'executable'): string {
  return hashText(canonicalJson({ kind, tool: tool.name, source, session, input }))
}

function boundStep(change: Change): Record<string, unknown> {
  const { kind, path } = change
  return {
    kind,
    path,
    ...('to' in change && { to: change.to }),
    ...('before' in change && { before: change.before }),
    ...('after' in change && { after: hashBytes(change.after) }),
    ...('added' in change && { added: hashBytes(change.added) }),
  }
}

const hashText = (text: string): string => hashBytes(new TextEncoder().encode(text))
