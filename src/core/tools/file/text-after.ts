import { type ChangeSet, decodeNote, type NotePath } from '../../vault/index.js'

/** The text that a change set leaves in a note it edits; undefined when it does not edit it. */
export function textAfter({ changes }: ChangeSet, path: NotePath): string | undefined {
  for (const change of [...changes].reverse()) {
    if (change.kind === 'edit' && change.path === path) return decodeNote(change.after).text
  }
  return undefined
}
