export { asNote, noteFileOf } from './as-note.js'
export { isPrivateFile } from './is-private-file.js'
