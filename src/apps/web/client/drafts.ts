import { useCallback, useEffect, useState } from 'preact/hooks'
import type { ReasonDrafts } from '../../../ui/index.js'
import { readStored, store } from './shell/stored.js'

/** Typed and not sent yet, for each chat. The browser keeps it over a reload. */
const keyOf = (session: string | undefined): string => `notewright-draft:${session ?? 'new'}`

export const readDraft = (session: string | undefined): string => readStored(keyOf(session)) ?? ''

export function writeDraft(session: string | undefined, text: string): void {
  store(keyOf(session), text === '' ? undefined : text)
  for (const listener of listeners) listener(session)
}

/** Adds words to what is typed already; nothing typed is lost. */
export function addToDraft(session: string | undefined, words: string): void {
  const before = readDraft(session)
  writeDraft(session, before.trim() === '' ? words : `${before.trimEnd()} ${words}`)
}

/** The draft of a new chat becomes that of the chat it has become. */
export function moveDraft(session: string): void {
  writeDraft(session, readDraft(undefined))
  writeDraft(undefined, '')
}

const listeners = new Set<(session: string | undefined) => void>()

export function useDraft(session: string | undefined): [string, (text: string) => void] {
  const [text, setText] = useState(() => readDraft(session))
  useEffect(() => {
    const look = (changed: string | undefined) => changed === session && setText(readDraft(session))
    listeners.add(look)
    look(session)
    return () => void listeners.delete(look)
  }, [session])
  const change = useCallback((next: string) => writeDraft(session, next), [session])
  return [text, change]
}

const reasonKeyOf = (request: string): string => `notewright-reason:${request}`

export const reasonDrafts: ReasonDrafts = {
  read: (request) => readStored(reasonKeyOf(request)),
  write: (request, text) => store(reasonKeyOf(request), text),
}
