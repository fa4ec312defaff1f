import { readFileSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { noteFiles } from '../vaults/note-files.mjs'

/** All notes of a vault, by path. */
export function readVault(folder) {
  const pathOf = (file) => relative(folder, file).split(sep).join('/')
  return Object.fromEntries(noteFiles(folder).map((file) => [pathOf(file), readFileSync(file, 'utf8')]))
}
