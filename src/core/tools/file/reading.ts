import { fileRead } from './file-read.js'
import { getFileTree } from './get-file-tree.js'
import { readNote } from './read-note.js'

/** The file tools that change nothing, in the order in which they are offered. */
export const readingTools = [readNote, fileRead, getFileTree]
