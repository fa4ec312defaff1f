export { folderDailyNotes } from './folder-daily-notes.js'
