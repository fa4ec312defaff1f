import type { ApprovalAnswer, ApprovalBatch, ApprovalRequest, BatchAnswer } from './approval-request.js'

/** What is wrong with an answer; undefined when it is one that the request can have. Never trust where it came from. */
export function whyNoAnswer(
  panel: ApprovalRequest | ApprovalBatch,
  answer: ApprovalAnswer | BatchAnswer,
): string | undefined {
  if (typeof answer !== 'object' || answer === null) return 'not an answer'
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

function whyNot(request: ApprovalRequest, answer: ApprovalAnswer | BatchAnswer): string | undefined {
  if (answer.verdict === 'deny')
    return answer.words === undefined || typeof answer.words === 'string' ? undefined : 'words are a text'
  if (answer.verdict !== 'allow') return 'the verdict is allow or deny'
  const { scope = 'once', rule, picked, hunks } = answer
  if (!request.scopes.includes(scope)) return `not a scope of this request: ${scope}`
  if (rule !== undefined && !request.offers.some((offer) => offer.rule === rule)) return 'not one of the offered rules'
  if (picked !== undefined) {
    if (request.pick === undefined) return 'there is nothing to pick'
    const pick: readonly string[] = request.pick
    if (!Array.isArray(picked) || !picked.every((path) => pick.includes(path))) return 'a picked note was not offered'
  }
  if (hunks !== undefined && !(Array.isArray(hunks) && hunks.every((part) => isListed(request, part)))) {
    return 'an accepted hunk was not shown'
  }
  return undefined
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
