export { dailyNoteSettings } from './daily-note-settings.js'
