import type {
  ApprovalAnswer,
  ApprovalBatch,
  ApprovalRequest,
  BatchAnswer,
  Panel,
} from '../../../core/approval/index.js'
import { decisions, tickName } from './approval-form.js'

/** What a client sends back for a form. Nobody has checked it. */
export interface FormReply {
  action?: unknown
  content?: unknown
}

/** What the person said. Anything but a clear yes is a no. */
export function readAnswer(panel: Panel, { action, content }: FormReply): ApprovalAnswer | BatchAnswer {
  const values = (typeof content === 'object' && content !== null ? content : {}) as Record<string, unknown>
  const isSent = action === 'accept'
  if (panel.kind === 'question') return { verdict: 'deny' }
  if (panel.kind === 'batch') return isSent ? batchAnswer(panel, values) : { verdict: 'each', answers: {} }
  const no = {
    verdict: 'deny' as const,
    ...(typeof values.reason === 'string' && { words: values.reason.slice(0, 1000) }),
  }
  if (!isSent) return no
  if (panel.pick) {
    const picked = ticked('notes', panel.pick, values)
    return picked.length === 0 ? no : { verdict: 'allow', picked }
  }
  if (values.decision === decisions.once) return { verdict: 'allow', scope: 'once' }
  if (values.decision === decisions.session && canStay(panel)) return { verdict: 'allow', scope: 'session' }
  return no
}

const canStay = ({ scopes, offers }: ApprovalRequest): boolean => scopes.includes('session') && offers.length > 0

function batchAnswer({ requests }: ApprovalBatch, values: Record<string, unknown>): BatchAnswer {
  // By number: what a client makes of the titles is not ours to compare.
  const chosen = ticked(
    'calls',
    requests.map((_, at) => `${at + 1}`),
    values,
    (value) => /^(\d+)\./.exec(value)?.[1],
  )
  const allowed = requests.filter((_, at) => chosen.includes(`${at + 1}`))
  return {
    verdict: 'each',
    answers: Object.fromEntries(
      allowed.map(({ id, pick }) => [
        id,
        { verdict: 'allow' as const, scope: 'once' as const, ...(pick && { picked: pick }) },
      ]),
    ),
  }
}

/** Those of the choices that were ticked, in a list or box by box. */
function ticked<Choice extends string>(
  name: string,
  choices: readonly Choice[],
  values: Record<string, unknown>,
  choiceOf: (value: string) => string | undefined = (value) => value,
): Choice[] {
  const list = Array.isArray(values[name]) ? values[name] : []
  const named = new Set(list.flatMap((value) => (typeof value === 'string' ? choiceOf(value) : [])))
  return choices.filter((choice, at) => named.has(choice) || values[tickName(name, at)] === true)
}
