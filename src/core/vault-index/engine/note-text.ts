/** What a segment is told of a note. */
export interface NoteText {
  /** Document id in the store; no two notes of a segment share one. */
  id: number
  path: string
  title: string
  /** What it is called beside its title and its file's name. */
  names: readonly string[]
  /** Tags and property text: found with the note, shown with no passage. */
  extra: string
  chunks: readonly string[]
}
