import type { ApprovalAnswer, ApprovalRequest, Panel, PanelAnswer } from './approval-request.js'
import { whyNoForm } from './question.js'

/** What is wrong with an answer; undefined when it is one that the request can have. Never trust where it came from. */
export function whyNoAnswer(panel: Panel, answer: PanelAnswer): string | undefined {
  if (typeof answer !== 'object' || answer === null) return 'not an answer'
  if (panel.kind === 'question') {
    if (answer.verdict !== 'allow') return whyNoRefusal(answer)
    return 'values' in answer ? whyNoForm(panel.form, answer.values) : 'a question wants values'
  }
  if (panel.kind !== 'batch') return whyNot(panel, answer)
  if (answer.verdict !== 'each') return 'a list needs an answer for each request'
  if (typeof answer.answers !== 'object' || answer.answers === null) return 'no answers'
  for (const [id, own] of Object.entries(answer.answers)) {
    const request = panel.requests.find((candidate) => candidate.id === id)
    if (request === undefined) return `no such request in the list: ${id}`
    const reason = typeof own === 'object' && own !== null ? whyNot(request, own) : 'not an answer'
    if (reason !== undefined) return reason
  }
  return undefined
}

function whyNoRefusal(answer: PanelAnswer): string | undefined {
  if (answer.verdict !== 'deny') return 'the verdict is allow or deny'
  return answer.words === undefined || typeof answer.words === 'string' ? undefined : 'words are a text'
}

function whyNot(request: ApprovalRequest, answer: PanelAnswer): string | undefined {
  if (answer.verdict !== 'allow') return whyNoRefusal(answer)
  const { scope = 'once', rule, picked, hunks, touchesHidden } = answer as Extract<ApprovalAnswer, { verdict: 'allow' }>
  if (!request.scopes.includes(scope)) return `not a scope of this request: ${scope}`
  if (touchesHidden !== undefined && !(touchesHidden === true && hasLinksLeft(request))) {
    return 'no hidden note is concerned'
  }
  if (rule !== undefined && !request.offers.some((offer) => offer.rule === rule)) return 'not one of the offered rules'
  if (picked !== undefined) {
    if (request.pick === undefined) return 'there is nothing to pick'
    const pick: readonly string[] = request.pick
    if (!Array.isArray(picked) || !picked.every((path: string) => pick.includes(path)))
      return 'a picked note was not offered'
  }
  if (hunks !== undefined && !(Array.isArray(hunks) && hunks.every((part) => isListed(request, part)))) {
    return 'an accepted hunk was not shown'
  }
  return undefined
}

/** Whether there are links in hidden notes that the person can let be rewritten. */
export function hasLinksLeft({ impact }: Pick<ApprovalRequest, 'impact'>): boolean {
  return impact?.hidden !== undefined && impact.hidden.links > 0 && !impact.hidden.rewritten
}

function isListed(request: ApprovalRequest, part: unknown): boolean {
  const { change, hunks } = (part ?? {}) as { change?: unknown; hunks?: unknown }
  const listed = request.hunks?.find((candidate) => candidate.change === change)
  return (
    listed !== undefined &&
    Array.isArray(hunks) &&
    hunks.every((hunk) => Number.isInteger(hunk) && hunk >= 0 && hunk < listed.hunks.length)
  )
}
