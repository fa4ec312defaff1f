import { addToDailyNote, addToNote } from './add-text.js'
import { backlinks, forwardLinks } from './ask-links.js'
import { askQuestion } from './ask-question.js'
import { askTime } from './ask-time.js'
import { createNote } from './create-note.js'
import { deleteNote } from './delete-note.js'
import { countNotes, notesInFolder } from './folders.js'
import { listTags, notesWithTag, randomNote } from './look-around.js'
import { notesOfTime } from './notes-of-time.js'
import { openTasks } from './open-tasks.js'
import { readNote } from './read-note.js'
import { remember } from './remember.js'
import { renameNote } from './rename-note.js'
import { searchWeb } from './search-web.js'
import { setProperty } from './set-property.js'
import { hello, thanks, undo } from './small-talk.js'
import { tagNote, untagNote } from './tag-note.js'
import type { Intent, Request, Task } from './task.js'

export { askQuestion } from './ask-question.js'
export { readRequest } from './read-request.js'
export type { Call, Request, Task } from './task.js'

/** Everything that can be asked for in so many words. The first that understands the request has it. */
const intents: readonly Intent[] = [
  undo,
  hello,
  thanks,
  remember,
  searchWeb,
  askTime,
  randomNote,
  listTags,
  notesWithTag,
  openTasks,
  countNotes,
  notesInFolder,
  backlinks,
  forwardLinks,
  renameNote,
  tagNote,
  untagNote,
  setProperty,
  createNote,
  addToDailyNote,
  addToNote,
  deleteNote,
  notesOfTime,
  readNote,
]

/** What a request comes to. Whatever is no plain request is a question to the notes. */
export function taskFor(request: Request): Task {
  for (const intent of intents) {
    const task = intent(request)
    if (task !== undefined && !(task.writes && request.isQuestion)) return task
  }
  return askQuestion(request)
}
