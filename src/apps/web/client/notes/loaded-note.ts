import type { Canvas } from '../../../../core/canvas.js'
import type { FailureData } from '../../../../core/errors.js'
import type { Backlink, OutgoingLink, ShownNote } from '../../../../ui/index.js'
import { getJson } from '../ask-server.js'

interface Facts {
  path: string
  title: string
  /** Opens the file in Obsidian, on the computer that the vault is on. */
  obsidian?: string
}

/** A note with what is needed to edit it and to go on from it. */
export interface EditableNote extends ShownNote, Facts {
  kind: 'note'
  /** Hash of the bytes that `text` was read from. */
  hash: string
  isReadOnly: boolean
  /** The heading that the link names. */
  heading?: string
  links: OutgoingLink[]
  backlinks: Backlink[]
  backlinkCount: number
}

/** Response of `GET /api/note`. */
export type LoadedFile =
  | EditableNote
  /** A note that is not in the index. */
  | (Facts & { kind: 'source'; text: string })
  | (Facts & { kind: 'canvas'; canvas: Canvas })
  /** A picture or PDF has a type; other files are only named. */
  | (Facts & { kind: 'file'; type?: string; size: number })
  | (Facts & { kind: 'unreadable'; why: FailureData })

export const loadFile = (target: string): Promise<LoadedFile> =>
  getJson<LoadedFile>(`note?target=${encodeURIComponent(target)}`)

/** The address works on the computer that the page comes from alone. */
export const obsidianLink = ({ obsidian }: Facts): string | undefined =>
  /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(location.hostname) ? obsidian : undefined
