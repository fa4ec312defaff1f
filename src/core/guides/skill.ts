/** Something to know how to do, as people write it down for agents: a folder with a `SKILL.md`. */
export interface Skill {
  name: string
  description: string
  from: 'person' | 'vault'
  /** Its text, or that of another file in its folder; undefined where there is none. */
  read(file?: string): Promise<string | undefined>
}
