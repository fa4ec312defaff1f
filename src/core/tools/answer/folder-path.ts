import { notePath } from '../../vault/index.js'

/** The folder someone names, checked like any path; '' for the whole vault. */
export function folderPath(wanted: string | undefined): string {
  const folder = (wanted ?? '').trim()
  if (folder === '' || folder === '/' || folder === '.') return ''
  return notePath(folder.replace(/([^/])\/$/, '$1'))
}
