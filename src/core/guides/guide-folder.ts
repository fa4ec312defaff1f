/** A folder beside the notes with files that say how to work: the person's own, or a dot folder of the vault. */
export interface GuideFolder {
  kind: 'skills' | 'prompts'
  /** What a vault says is of low trust: it can guide, and allow nothing. */
  from: 'person' | 'vault'
  /** As messages name it: `.agents/skills`. */
  name: string
  /** What is in it, by name; nothing where there is no such folder. */
  list(): Promise<string[]>
  /** The text of a file in it; undefined where there is none. Fails for what may not be read. */
  read(path: string): Promise<string | undefined>
}
