import { appendNote } from './file/append-note.js'
import { changeNotes } from './file/change-notes.js'
import { createDailyNote } from './file/create-daily-note.js'
import { deleteNote } from './file/delete-note.js'
import { editNote } from './file/edit-note.js'
import { fileRead } from './file/file-read.js'
import { fixVault } from './file/fix-vault.js'
import { getFileTree } from './file/get-file-tree.js'
import { mergeNotes } from './file/merge-notes.js'
import { readNote } from './file/read-note.js'
import { remember } from './file/remember.js'
import { renameInNotes } from './file/rename-in-notes.js'
import { renameNote } from './file/rename-note.js'
import { splitNote } from './file/split-note.js'
import { undoChanges } from './file/undo-changes.js'
import { updateFrontmatter } from './file/update-frontmatter.js'
import { updateTasks } from './file/update-tasks.js'
import { writeNote } from './file/write-note.js'
import { useSkill } from './guides/use-skill.js'
import { viewFile } from './media/view-file.js'
import { webFetch } from './media/web-fetch.js'
import { webSearch } from './media/web-search.js'
import { youtubeTranscription } from './media/youtube-transcription.js'
import { checkVault } from './search/check-vault.js'
import { getNoteMetadata } from './search/get-note-metadata.js'
import { getRandomNote } from './search/get-random-note.js'
import { getTagList } from './search/get-tag-list.js'
import { indexVault } from './search/index-vault.js'
import { listBacklinks } from './search/list-backlinks.js'
import { listForwardLinks } from './search/list-forward-links.js'
import { listTasks } from './search/list-tasks.js'
import { queryBase } from './search/query-base.js'
import { queryNotes } from './search/query-notes.js'
import { relatedNotes } from './search/related-notes.js'
import { searchByTag } from './search/search-by-tag.js'
import { searchNotes } from './search/search-notes.js'
import { searchText } from './search/search-text.js'
import { vaultSearch } from './search/vault-search.js'
import { convertTimezone } from './time/convert-timezone.js'
import { getCurrentTime } from './time/get-current-time.js'
import { getTimeRange } from './time/get-time-range.js'
import { pomodoro } from './time/pomodoro.js'
import type { Tool } from './tool.js'

/** Search tools, in the order in which they are offered. */
export const searchTools = [
  searchNotes,
  vaultSearch,
  searchText,
  queryNotes,
  queryBase,
  listTasks,
  checkVault,
  searchByTag,
  getTagList,
  listBacklinks,
  listForwardLinks,
  relatedNotes,
  getNoteMetadata,
  getRandomNote,
  indexVault,
]

/** The file tools that change nothing, in the order in which they are offered. */
export const readingTools = [readNote, fileRead, getFileTree]

/** The tools that read and change notes, in the order they are offered. */
export const fileTools: readonly Tool[] = [
  ...readingTools,
  writeNote,
  editNote,
  appendNote,
  updateFrontmatter,
  changeNotes,
  updateTasks,
  fixVault,
  createDailyNote,
  renameNote,
  renameInNotes,
  mergeNotes,
  splitNote,
  deleteNote,
  remember,
  undoChanges,
]

const timeTools = [getCurrentTime, getTimeRange, convertTimezone, pomodoro]

const guideTools = [useSkill]

export const mediaTools = [viewFile, webSearch, webFetch, youtubeTranscription]

/** All built-in tools, in the order in which they are offered. Agent, MCP server, settings and docs read this list. */
export const builtInTools: readonly Tool[] = [...searchTools, ...fileTools, ...timeTools, ...guideTools, ...mediaTools]
