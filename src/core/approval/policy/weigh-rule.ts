import type { Effect } from '../../tools/index.js'
import { isNote } from '../../vault/index.js'
import { matchesNote, matchesSends, plainSelector, type Rule, type Subject } from '../rules/index.js'
import { effectsOf, type Facts, type JudgedCall, type NoteFacts } from './call-facts.js'

/** Whether a deny or ask rule applies: one note or one address it means is enough. */
export function restricts({ subject, selector }: Rule, call: JudgedCall, facts: Facts): boolean {
  if (!isSubject(subject, call)) return false
  const isMeant = (note: NoteFacts) => subject.kind !== 'effect' || touches(note, subject.effect)
  if (selector === undefined) {
    return subject.kind !== 'effect' || hasEffect(subject.effect, call, facts) || facts.notes.some(isMeant)
  }
  if (plainSelector(selector).kind === 'domain') return matchesSends(selector, call.sends, 'wide')
  return facts.notes.some((note) => isMeant(note) && matchesNote(selector, note, 'wide'))
}

/** Whether an allow rule covers one effect of the call: every note or address of it must be meant, to the letter. */
export function covers({ subject, selector }: Rule, effect: Effect, call: JudgedCall, { notes }: Facts): boolean {
  if (!isSubject(subject, call) || (subject.kind === 'effect' && subject.effect !== effect)) return false
  if (selector === undefined) return true
  if (plainSelector(selector).kind === 'domain') {
    return effect === 'reaches-network' && matchesSends(selector, call.sends, 'exact')
  }
  if (effect === 'reaches-network') return false
  const meant = subject.kind === 'effect' ? notes.filter(({ access }) => access === effect) : notes
  return meant.length > 0 && meant.every((note) => isFit(note) && matchesNote(selector, note, 'exact'))
}

/** Whether an allow rule says both which tool and where to: for words of notes that leave, less is not enough. */
export function names({ subject, selector }: Rule, call: JudgedCall): boolean {
  if (!isSubject(subject, call)) return false
  if (subject.kind === 'mcp') return subject.server !== undefined && subject.tool !== undefined
  if (subject.kind !== 'tool') return false
  if (selector !== undefined) return selector.kind === 'domain' && matchesSends(selector, call.sends, 'exact')
  // A search goes where the settings say, a server's tool to that server.
  return call.foreign !== undefined || call.sends.every(({ chosen }) => chosen !== undefined)
}

function isSubject(subject: Subject, { tool, foreign }: JudgedCall): boolean {
  switch (subject.kind) {
    case 'any':
    case 'effect':
      return true
    case 'tool':
      return tool === subject.name
    case 'mcp':
      if (foreign === undefined || foreign.server !== (subject.server ?? foreign.server)) return false
      return foreign.tool === (subject.tool ?? foreign.tool)
    default:
      return subject satisfies never
  }
}

/** Destroying is a way of writing, so what restricts writing restricts it too. */
function hasEffect(wanted: Effect, call: JudgedCall, facts: Facts): boolean {
  const effects = effectsOf(call, facts)
  return effects.includes(wanted) || (wanted === 'writes' && effects.includes('destroys'))
}

function touches({ access, isRead }: NoteFacts, effect: Effect): boolean {
  if (effect === 'reads') return isRead
  return access === effect || (effect === 'writes' && access === 'destroys')
}

// Only notes are written without asking: a canvas or an attachment that a pattern happens to cover is not.
const isFit = ({ access, paths }: NoteFacts): boolean => access === 'reads' || paths.every(isNote)
