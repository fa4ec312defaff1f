import { type ComponentChildren, type ComponentType, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { FailureData } from '../core/errors.js'
import type { IconName } from './icon-name.js'

export type { IconName } from './icon-name.js'

/** Functions the panels need from their environment: a browser page or an Obsidian pane. */
export interface UiHost {
  /** Draws untrusted Markdown: nothing runs, nothing is loaded. `live`: more text will follow. */
  Markdown: ComponentType<{ text: string; live?: boolean }>
  Icon: ComponentType<{ name: IconName }>
  /** Colours of code; undefined for an unknown language. Without it code has none. */
  codeColours?: (text: string, language: string) => Promise<readonly CodeSpan[] | undefined>
  /** Draws TeX. Without it, and for TeX that is not valid, `source` is shown. */
  Formula?: ComponentType<{ text: string; isBlock: boolean; source: ComponentChildren }>
  /** Draws a Mermaid diagram as SVG. Fails with the reason if it is not valid. Without it the code is shown. */
  drawDiagram?: (text: string, isDark: boolean) => Promise<string>
  /** Draws a note or a picture of the vault in its place; `link` where there is none of that name. */
  Embed?: ComponentType<{ target: string; label: string; link: ComponentChildren }>
  /** `target` as a link names a note: a path, a name, with or without a heading. */
  openNote: (target: string, place?: NoteLocation) => void
  /** Opens the settings, at a section if there is one of that name. Without it, links to them are plain text. */
  openSettings?: (section: string) => void
  /** The mouse is over something that leads to a note; without it nothing is shown of the note then. */
  hoverNote?: (target: string, event: MouseEvent) => void
  /** One line for the user that disappears automatically. */
  notify: (text: string) => void
  /** Failure of a function provided by the host. */
  failureOf: (error: unknown) => FailureData
  /** Reasons typed for a denial and not sent yet, by the request's ID. Without it they are lost on reload. */
  reasons?: ReasonDrafts
  /** False if the user switched off shortcuts of a single letter. */
  areSingleKeysOn?: () => boolean
}

/** A part of code: text, or parts with a class. */
export type CodeSpan = string | { name: string; inner: readonly CodeSpan[] }

export interface ReasonDrafts {
  read(request: string): string | undefined
  /** Without a text it is removed. */
  write(request: string, text: string | undefined): void
}

export interface NoteLocation {
  /** 1-based, inclusive. */
  lines?: readonly [number, number] | undefined
  /** Highlighted in place. */
  quotes?: readonly string[]
}

const UiHostContext = createContext<UiHost | undefined>(undefined)

export const UiHostProvider = UiHostContext.Provider

export function useHost(): UiHost {
  const host = useContext(UiHostContext)
  if (host === undefined) throw new Error('A panel is drawn outside of UiHostProvider.')
  return host
}
