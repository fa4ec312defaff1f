import type { LinkRepair, StoredLink } from '../index/index.js'
import type { ContentHash, NotePath } from '../vault/index.js'

/** The checks, in the order in which their findings are listed. */
export const checkKinds = [
  'properties',
  'conflicts',
  'links',
  'headings',
  'attachments',
  'names',
  'empty',
  'orphans',
  'unlinked',
] as const

export type CheckKind = (typeof checkKinds)[number]

export const checkTitles: Record<CheckKind, string> = {
  properties: 'Unreadable properties',
  conflicts: 'Conflict copies',
  links: 'Links to missing notes',
  headings: 'Links to missing headings and blocks',
  attachments: 'Missing attachments',
  names: 'Ambiguous links',
  empty: 'Empty notes',
  orphans: 'Notes without any link',
  unlinked: 'Notes that nothing links to',
}

/** The ways to fix a finding. */
export const fixKinds = ['redirect', 'heading', 'path', 'quote', 'trash', 'unlink'] as const

export type FixKind = (typeof fixKinds)[number]

/** As a rule of a change, in the imperative. */
export const fixTitles: Record<FixKind, string> = {
  redirect: 'Redirect links to the notes and files that are there',
  heading: 'Redirect links to headings and blocks that are there',
  path: 'Write whole paths in ambiguous links',
  quote: 'Put values of properties in quotes',
  trash: 'Move empty notes and identical copies to the trash',
  unlink: 'Replace broken links with their text',
}

/** A problem of the vault. */
export interface Finding {
  /** The same as long as the note is not edited: `links:Note.md:12`. */
  id: string
  kind: CheckKind
  path: NotePath
  /** 1-based. */
  line?: number | undefined
  /** A sentence about the problem. */
  problem: string
  /** The link it is about. */
  link?: StoredLink | undefined
  /** The file it is about: the original of a copy, the target of a link. */
  other?: NotePath | undefined
}

/** A change that removes a problem, and nothing else. */
export interface Fix {
  kind: FixKind
  /** "Link to Projects/Plan.md" */
  title: string
  /** `hash` is that of the note that was checked; `sameAs` has the same text. */
  change:
    | { repair: LinkRepair }
    | { trash: NotePath; hash: ContentHash; sameAs?: NotePath | undefined }
    | { edit: (text: string) => string | undefined }
}

/** A finding with its possible fixes, the proposed one first. */
export interface FixableFinding extends Finding {
  fixes: Fix[]
  /** Targets that are equally near, so that none is proposed. */
  near: string[]
}
