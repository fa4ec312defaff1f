import type { Effect } from '../../tools/index.js'

export const consentLevels = ['read-only', 'ask', 'ask-all', 'edit', 'auto', 'locked'] as const

/** How much the person wants to be asked. */
export type ConsentLevel = (typeof consentLevels)[number]

/** One line each, for settings and help. */
export const levelTexts: Record<ConsentLevel, string> = {
  'read-only': 'reads pass, everything else is refused',
  ask: 'reads pass, everything else asks',
  'ask-all': 'every call asks',
  edit: 'reads and changes that can be undone pass; deleting, overwriting, renaming and the network ask',
  auto: 'everything passes that no rule denies',
  locked: 'reads pass, everything else needs a rule that allows it; nobody is asked',
}

/** What a level says to an effect of its own accord, before rules. */
export function levelSays(level: ConsentLevel, effect: Effect, isUndoable: boolean): 'pass' | 'ask' | 'deny' {
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
