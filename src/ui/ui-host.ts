import { type ComponentType, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { FailureData } from '../core/errors.js'

/** What the panels ask of the place they are shown in: a page of a browser, or a pane of Obsidian. */
export interface UiHost {
  /** Draws Markdown without obeying it: nothing runs, nothing is loaded. `live`: more of it is on the way. */
  Markdown: ComponentType<{ text: string; live?: boolean }>
  Icon: ComponentType<{ name: IconName }>
  /** `target` as a link names a note: a path, a name, with or without a heading. */
  openNote: (target: string, place?: NotePlace) => void
  /** The mouse is over something that leads to a note; without it nothing is shown of the note then. */
  hoverNote?: (target: string, event: MouseEvent) => void
  /** One line for the person that goes by itself. */
  notify(text: string): void
  /** Why something failed that the panels were lent. */
  failureOf: (error: unknown) => FailureData
}

export interface NotePlace {
  /** 1-based, inclusive. */
  lines?: readonly [number, number]
  /** Marked where they stand. */
  quotes?: readonly string[]
}

export type IconName =
  | 'fold'
  | 'done'
  | 'failed'
  | 'refused'
  | 'running'
  | 'warning'
  | 'note'
  | 'send'
  | 'stop'
  | 'undo'
  | 'edit'
  | 'fork'
  | 'add'
  | 'list'
  | 'close'
  | 'graph'

const UiHostContext = createContext<UiHost | undefined>(undefined)

export const UiHostProvider = UiHostContext.Provider

export function useHost(): UiHost {
  const host = useContext(UiHostContext)
  if (host === undefined) throw new Error('A panel is drawn outside of UiHostProvider.')
  return host
}
