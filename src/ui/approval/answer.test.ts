import { expect, it } from 'vitest'
import type { ApprovalDecision } from '../transcript/transcript.js'
import { decidedWords } from './answer.js'

it.each<[Partial<ApprovalDecision>, string]>([
  [{}, 'You allowed'],
  [{ part: { of: 'changes', allowed: 2, all: 3 } }, 'You allowed 2 of 3 changes'],
  [{ part: { of: 'notes', allowed: 1, all: 4 } }, 'You allowed 1 of 4 notes'],
  [{ scope: 'change-set', part: { of: 'changes', allowed: 1, all: 2 } }, 'You allowed 1 of 2 changes for this turn'],
  [{ edited: true }, 'You edited'],
  [{ verdict: 'deny' }, 'You denied'],
  [{ verdict: 'deny', by: 'expired' }, 'Denied: no answer in time'],
])('a decision %j reads as: %s', (decided, words) => {
  const decision = { verdict: 'allow', by: 'person', ...decided } as const
  expect(decidedWords(decision, true)).toBe(words)
  const [, verb = ''] = /^You (.*)$/.exec(words) ?? ['', words]
  expect(decidedWords(decision, false)).toBe(verb.charAt(0).toUpperCase() + verb.slice(1))
})
