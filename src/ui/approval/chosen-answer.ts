import type { ApprovalAnswer, ApprovalRequest, Scope } from '../../core/approval/index.js'
import type { Chosen } from './allow-words.js'

/** All that a person can leave as it is. */
export function firstChoice({ pick = [], hunks = [] }: ApprovalRequest): Chosen {
  return {
    picked: new Set<string>(pick),
    hunks: new Set(hunks.flatMap(({ change, hunks: own }) => own.map((_, at) => `${change}/${at}`))),
    touchesHidden: false,
  }
}

export interface ChosenScope {
  scope: Scope
  rule?: string
}

/** The answer that says yes to what is chosen, and to nothing else. */
export function chosenAnswer(request: ApprovalRequest, chosen: Chosen, { scope, rule }: ChosenScope): ApprovalAnswer {
  if (chosen.input !== undefined) return { verdict: 'allow', input: chosen.input }
  if (chosen.touchesHidden) return { verdict: 'allow', touchesHidden: true }
  const { pick, hunks } = request
  const accepted = hunks?.map(({ change, hunks: own }) => ({
    change,
    hunks: own.flatMap((_, at) => (chosen.hunks.has(`${change}/${at}`) ? [at] : [])),
  }))
  const isPart = accepted?.some(({ hunks: some }, at) => some.length < hunks![at].hunks.length)
  return {
    verdict: 'allow',
    scope,
    ...(rule !== undefined && { rule }),
    ...(pick && { picked: pick.filter((path) => chosen.picked.has(path)) }),
    ...(isPart && { hunks: accepted }),
  }
}

/** Whether anything is left to say yes to. */
export function isEmptyChoice({ pick, hunks, impact }: ApprovalRequest, chosen: Chosen): boolean {
  // A note can move without any link being mended.
  if (chosen.input !== undefined || impact) return false
  return (pick !== undefined && chosen.picked.size === 0) || (hunks !== undefined && chosen.hunks.size === 0)
}
