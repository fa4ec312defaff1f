import { useCallback, useEffect, useState } from 'preact/hooks'
import type { NoteLocation } from '../../../../ui/index.js'

/** A note that is shown as a page of its own. */
export interface OpenNote {
  target: string
  place?: NoteLocation | undefined
  isEditing?: boolean
}

interface NoteInAddress {
  note: OpenNote | undefined
  openNote(note: OpenNote): void
  leaveNote(): void
}

/** The note is named in the address beside the chat, so that a reload shows it again and the browser's Back leaves it. */
export function useNoteInAddress(): NoteInAddress {
  const [note, setNote] = useState(read)
  useEffect(() => {
    const follow = () => setNote(read())
    addEventListener('hashchange', follow)
    addEventListener('popstate', follow)
    return () => {
      removeEventListener('hashchange', follow)
      removeEventListener('popstate', follow)
    }
  }, [])
  const openNote = useCallback((next: OpenNote) => {
    const state = { note: next }
    // Editing and reading are one step back.
    if (read()?.target === next.target) history.replaceState(state, '', addressWith(next.target))
    else history.pushState(state, '', addressWith(next.target))
    setNote(next)
  }, [])
  const leaveNote = useCallback(() => {
    if (read() === undefined) return
    history.pushState(undefined, '', addressWith(undefined))
    setNote(undefined)
  }, [])
  return { note, openNote, leaveNote }
}

/** The passage is not in the address: it comes back with the step in the history alone. */
function read(): OpenNote | undefined {
  const target = new URLSearchParams(location.hash.slice(1)).get('note') ?? undefined
  if (target === undefined) return undefined
  const kept: unknown = history.state?.note
  return isOpenNote(kept) && kept.target === target ? kept : { target }
}

const isOpenNote = (value: unknown): value is OpenNote =>
  typeof value === 'object' && value !== null && 'target' in value && typeof value.target === 'string'

function addressWith(target: string | undefined): string {
  const parts = new URLSearchParams(location.hash.slice(1))
  if (target === undefined) parts.delete('note')
  else parts.set('note', target)
  const hash = parts.toString()
  return hash === '' ? location.pathname : `#${hash}`
}
