import type { Effect } from '../tools/index.js'

// In its own file, because the command line loads it at start-up, while the policy imports the frontmatter reader.
/** The approval levels, in the order in which every front end lists them: from the most careful to the least. */
export const consentLevels = ['read-only', 'ask-all', 'ask', 'edit', 'auto', 'locked'] as const

/** How many actions need approval. */
export type ConsentLevel = (typeof consentLevels)[number]

/** Names in the interface. */
export const levelNames: Record<ConsentLevel, string> = {
  'read-only': 'Read only',
  'ask-all': 'Ask every time',
  ask: 'Ask first',
  edit: 'Edit freely',
  auto: 'Never ask',
  locked: 'Rules only',
}

/** One line each, for settings and help. */
export const levelTexts: Record<ConsentLevel, string> = {
  'read-only': 'reading is allowed, everything else is denied',
  ask: 'reading is allowed, everything else needs approval',
  'ask-all': 'every call needs approval',
  edit: 'reading and edits are allowed; deleting, overwriting, renaming and network access need approval',
  auto: 'everything is allowed unless a rule denies it',
  locked: 'reading is allowed, everything else needs an allow rule; you are never asked',
}

/** One or two sentences each, for a choice between the levels. */
export const levelDescriptions: Record<ConsentLevel, string> = {
  'read-only': 'Notes are never changed, and nothing is sent except to the model.',
  ask: 'Reading is allowed. Every change and everything sent to the web waits for you.',
  'ask-all': 'Even reading a note waits for you.',
  edit: 'Edits are made right away, and you can undo them. Deleting, overwriting, renaming and the web wait for you.',
  auto: 'Everything is allowed unless a rule denies it.',
  locked: 'For scripts. You are never asked: without a rule that allows it, only reading is allowed.',
}

/** The levels as a front end offers them. */
export const levelChoices = consentLevels.map((level) => ({
  level,
  label: levelNames[level],
  about: levelDescriptions[level],
}))

/** The answer of a level to an effect, before rules. */
export function levelDecision(level: ConsentLevel, effect: Effect, isUndoable: boolean): 'pass' | 'ask' | 'deny' {
  switch (level) {
    case 'auto':
      return 'pass'
    case 'ask-all':
      return 'ask'
    case 'read-only':
      return effect === 'reads' ? 'pass' : 'deny'
    case 'edit':
      return effect === 'reads' || (effect === 'writes' && isUndoable) ? 'pass' : 'ask'
    case 'ask':
    case 'locked':
      return effect === 'reads' ? 'pass' : 'ask'
    default:
      return level satisfies never
  }
}
