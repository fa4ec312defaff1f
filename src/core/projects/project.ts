import type { ProjectSetting } from '../config/index.js'
import type { NotePath } from '../vault/index.js'

/** What a project says of itself, in a note's properties or in the settings. */
export type ProjectSettings = ProjectSetting

/** A part of the vault with its own instructions, and what a session on it may do. */
export interface Project {
  name: string
  /** The note that says so; without it the person's settings do. What a note says can only restrict. */
  note?: NotePath
  says: ProjectSettings
  /** What cannot be understood. A project with a fault in its scope is not opened. */
  faults: string[]
}
