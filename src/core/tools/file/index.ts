import type { Tool } from '../tool.js'
import { appendNote } from './append-note.js'
import { createDailyNote } from './create-daily-note.js'
import { deleteNote } from './delete-note.js'
import { editNote } from './edit-note.js'
import { readingTools } from './reading.js'
import { remember } from './remember.js'
import { renameNote } from './rename-note.js'
import { updateFrontmatter } from './update-frontmatter.js'
import { writeNote } from './write-note.js'

/** The tools that read and change notes, in the order they are offered. */
export const fileTools: readonly Tool[] = [
  ...readingTools,
  writeNote,
  editNote,
  appendNote,
  updateFrontmatter,
  createDailyNote,
  renameNote,
  deleteNote,
  remember,
]
