import type { ServedVaults } from '../setup.js'

/** A note as clients name it: `note:///Garden/Tomatoes.md`, with several vaults `note://Garden/Tomatoes.md` of one. */
export interface NoteAddress {
  /** Absent for the usual one. */
  vault?: string
  path: string
  /** Of a long note, counted from 1. */
  part?: number
}

export function noteUri({ vault, path, part }: NoteAddress, { names }: Pick<ServedVaults, 'names'>): string {
  const host = names.length < 2 ? '' : encodeURIComponent(vault ?? names[0])
  const inside = path.split('/').map(encodeURIComponent).join('/')
  return `note://${host}/${inside}${part === undefined || part === 1 ? '' : `?part=${part}`}`
}

/** What a template promises: any path, as it is or with its signs written as `%20`. */
export const noteTemplate = ({ names }: Pick<ServedVaults, 'names'>): string =>
  names.length < 2 ? 'note:///{+path}' : 'note://{vault}/{+path}'

/** undefined for what is no address of a note. Whether there is such a note is not known by this. */
export function readNoteUri(uri: string): NoteAddress | undefined {
  const found = /^note:\/\/([^/?#]*)\/([^?]+)(?:\?part=(\d{1,6}))?$/s.exec(uri)
  if (found === null) return undefined
  const [, host, inside, part] = found
  const [vault, path] = [decoded(host), decoded(inside)]
  return { ...(vault !== '' && { vault }), path, ...(part !== undefined && { part: Number(part) }) }
}

/** A sign that begins no code stands for itself: names may hold one. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
