import type { Effect } from '../../tools/index.js'

export const ruleEffects = ['deny', 'ask', 'allow'] as const
export type RuleEffect = (typeof ruleEffects)[number]

/** A rule as data. `text` is how a person writes it, without the effect: `edit_note(Projects/**)`. */
export interface Rule {
  effect: RuleEffect
  subject: Subject
  selector?: Selector
  text: string
  /** Where it was found: `command line`, `config`, `vault`, `grant`. Shown by `explain`. */
  from: string
}

export type Subject =
  | { kind: 'any' }
  | { kind: 'tool'; name: string }
  | { kind: 'effect'; effect: Effect }
  /** Without a server, the tools of all of them; without a tool, all of the server's. */
  | { kind: 'mcp'; server?: string; tool?: string }

export type Selector = PlainSelector | { kind: 'not'; selector: PlainSelector }

export type PlainSelector =
  | { kind: 'path'; pattern: string }
  | { kind: 'folder'; folder: string }
  | { kind: 'tag'; tag: string }
  /** Without a value: notes that have the property at all. */
  | { kind: 'prop'; name: string; value?: string }
  | { kind: 'domain'; domain: string }
  /** Notes in any of these folders. Never parsed from text: what a session is kept to. */
  | { kind: 'folders'; folders: readonly Extract<PlainSelector, { kind: 'folder' }>[] }
  /** Exactly these notes. Never parsed from text: made for the rest of a turn. */
  | { kind: 'notes'; paths: readonly string[] }
  /** Everything that is not in a project. Never parsed from text: made when a session has one. */
  | { kind: 'outside'; project: string; inside: readonly Selector[]; exclude: readonly Selector[] }

/** How a rule is named in reasons, logs and lists: `deny: reads(folder:Journal)`. */
export function ruleName({ effect, text, from }: Rule): string {
  return from === 'grant' ? `grant: ${text}` : `${effect}: ${text}`
}

/** Whether a selector looks at something of these kinds. */
export function looksAt(selector: Selector, ...kinds: PlainSelector['kind'][]): boolean {
  const plain = plainSelector(selector)
  if (plain.kind !== 'outside') return kinds.includes(plain.kind)
  return [...plain.inside, ...plain.exclude].some((each) => looksAt(each, ...kinds))
}

/** The selector without its negation. */
export function plainSelector(selector: Selector): PlainSelector {
  return selector.kind === 'not' ? selector.selector : selector
}
