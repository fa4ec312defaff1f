import type { Effect, ForeignTool, Outbound, ReachedNote } from '../../tools/index.js'
import type { NoteMeaning } from '../rules/index.js'

/** The call, as far as a policy cares. */
export interface JudgedCall {
  tool: string
  /** Which tool of which server it is; absent for our own. */
  foreign?: ForeignTool
  effects: readonly Effect[]
  sends: readonly Outbound[]
  /** The person is to pick which notes to share. */
  picks: boolean
  /** Text that some program would run is about to be written. */
  isExecutable: boolean
  /** Links in hidden notes would break, or a hidden note bears the new name: what only the person may know. */
  concernsHidden?: boolean
  /** What it does goes through a change set. */
  isUndoable: boolean
}

/** What is true of the notes and of the conversation at the moment of the call. */
export interface Facts {
  notes: readonly NoteFacts[]
  /** The person's own notes and text from elsewhere are both in the conversation. */
  isTainted: boolean
  /** Notes are in the conversation, and something would leave that the person did not type. */
  isUnsaid: boolean
  /** Addresses that whoever opens a changed note would load, unless the person typed them. */
  loads: readonly LoadedFrom[]
  /** Sentences about what changes who can see a note. */
  audience: readonly string[]
  /** The change is far larger than what a person looks at before saying "and the same from now on". */
  isLarge: boolean
}

/** What opening a note would load from elsewhere. */
export interface LoadedFrom {
  path: string
  url: string
  /** "image", "iframe tag". */
  how: string
}

export interface NoteFacts extends NoteMeaning {
  access: ReachedNote['access']
  /** Its content is looked at, also where the aim is to change it: rules that restrict reading apply. */
  isRead: boolean
}

/** Everything the call does, also what its notes and addresses give away. */
export function effectsOf({ effects, sends }: JudgedCall, { notes }: Facts): Effect[] {
  const all = new Set<Effect>([...effects, ...notes.map(({ access }) => access)])
  if (sends.length > 0) all.add('reaches-network')
  return [...all]
}
