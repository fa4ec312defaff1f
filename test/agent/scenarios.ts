import type { ApprovalAnswer } from '../../src/core/approval/index.js'
import type { ScriptedStep } from '../doubles/scripted-model.js'

/** One request, what the model says step by step, and what the user answers when asked. */
export interface Scenario {
  name: string
  ask: string
  steps: ScriptedStep[]
  /** In order; there are no further questions. */
  answers?: ApprovalAnswer[]
  maxSteps?: number
  /** The user presses stop when the model is silent, or instead of an answer. */
  stops?: 'while-silent' | 'when-asked'
  expected: {
    reason: 'answered' | 'step-limit' | 'stopped' | 'failed'
    answer?: string
    /** The calls and how they went: `ok`, or the failure's code. */
    results: [tool: string, outcome: string][]
    /** Notes that are different afterwards. */
    changed?: Record<string, string>
    /** Why it failed. */
    kind?: string
  }
}

export const notes: Record<string, string> = {
  'Garden/Tomatoes.md': '# Tomatoes\n\nWater them in the morning.\n',
  'Garden/Beans.md': '# Beans\n\nBeans climb. See [[Tomatoes]].\n',
  'Soil.md': 'Compost feeds the soil.\n',
}

const searchTomatoes = { name: 'search_notes', input: { query: 'tomatoes', top_k: 3 } }
const readTomatoes = { name: 'read_note', input: { path: 'Garden/Tomatoes.md' } }
const readSoil = { name: 'read_note', input: { path: 'Soil.md' } }
const plan = '# Plan\n\n- Water the tomatoes <early>, "in the morning"\n'
const writePlan = { name: 'write_note', input: { path: 'Garden/Plan.md', content: plan } }
const cited = 'Done. They want it early: "Water them in the morning." [[Garden/Tomatoes]]'

export const scenarios: Scenario[] = [
  {
    name: 'search, read, write with approval, answer',
    ask: 'Make a plan for watering.',
    steps: [
      { think: 'I should look first.', say: 'Let me look.', call: [searchTomatoes] },
      { call: [readTomatoes] },
      { say: 'Now I write it down.', call: [writePlan] },
      { say: cited },
    ],
    answers: [{ verdict: 'allow' }],
    expected: {
      reason: 'answered',
      answer: cited,
      results: [
        ['search_notes', 'ok'],
        ['read_note', 'ok'],
        ['write_note', 'ok'],
      ],
      changed: { 'Garden/Plan.md': plan },
    },
  },
  {
    name: 'denial',
    ask: 'Make a plan.',
    steps: [{ call: [writePlan] }, { say: 'Then I leave it.' }],
    answers: [{ verdict: 'deny', words: 'Not now.' }],
    expected: { reason: 'answered', answer: 'Then I leave it.', results: [['write_note', 'denied']] },
  },
  {
    name: 'edited arguments',
    ask: 'Make a plan.',
    steps: [{ call: [writePlan] }, { say: 'Written as you like it.' }],
    answers: [{ verdict: 'allow', input: { path: 'Plans/Water.md', content: 'Shorter.\n' } }, { verdict: 'allow' }],
    expected: {
      reason: 'answered',
      answer: 'Written as you like it.',
      results: [['write_note', 'ok']],
      changed: { 'Plans/Water.md': 'Shorter.\n' },
    },
  },
  {
    name: 'invalid arguments, then correction',
    ask: 'Read about soil.',
    steps: [{ call: [{ name: 'read_note', input: { file: 'Soil.md' } }] }, { call: [readSoil] }, { say: 'Compost.' }],
    expected: {
      reason: 'answered',
      answer: 'Compost.',
      results: [
        ['read_note', 'invalid-input'],
        ['read_note', 'ok'],
      ],
    },
  },
  {
    name: 'step limit',
    ask: 'Find everything.',
    steps: [
      { call: [{ name: 'search_notes', input: { query: 'beans' } }] },
      { call: [{ name: 'search_notes', input: { query: 'soil' } }] },
      { say: 'This is what I found.' },
    ],
    maxSteps: 3,
    expected: {
      reason: 'step-limit',
      answer: 'This is what I found.',
      results: [
        ['search_notes', 'ok'],
        ['search_notes', 'ok'],
      ],
    },
  },
  {
    name: 'the same call again and again',
    ask: 'Look.',
    steps: [{ call: [readSoil] }, { call: [readSoil] }, { call: [readSoil] }, { say: 'Compost, as I said.' }],
    expected: {
      reason: 'step-limit',
      answer: 'Compost, as I said.',
      results: [
        ['read_note', 'ok'],
        ['read_note', 'ok'],
        ['read_note', 'ok'],
      ],
    },
  },
  {
    name: 'stall',
    ask: 'Look.',
    steps: [{ call: [readSoil] }, { stall: true }],
    expected: { reason: 'failed', results: [['read_note', 'ok']], kind: 'stalled' },
  },
  {
    name: 'abort while the model is silent',
    ask: 'Look.',
    steps: [{ call: [readSoil] }, { stall: true }],
    stops: 'while-silent',
    expected: { reason: 'stopped', results: [['read_note', 'ok']] },
  },
  {
    name: 'abort instead of an answer',
    ask: 'Make a plan.',
    steps: [{ say: 'I write it.', call: [writePlan] }, { say: 'Never said.' }],
    stops: 'when-asked',
    expected: { reason: 'stopped', results: [] },
  },
  {
    name: 'tool failure',
    ask: 'Weigh the pumpkin.',
    steps: [
      { call: [{ name: 'weigh_pumpkin', input: {} }] },
      { call: [{ name: 'read_note', input: { path: 'Pumpkin.md' } }] },
      { say: 'I cannot.' },
    ],
    expected: {
      reason: 'answered',
      answer: 'I cannot.',
      results: [
        ['weigh_pumpkin', 'internal'],
        ['read_note', 'not-found'],
      ],
    },
  },
  {
    name: 'two reads at once',
    ask: 'Compare.',
    steps: [{ say: 'Both.', call: [readTomatoes, readSoil] }, { say: 'They go together.' }],
    expected: {
      reason: 'answered',
      answer: 'They go together.',
      results: [
        ['read_note', 'ok'],
        ['read_note', 'ok'],
      ],
    },
  },
]
