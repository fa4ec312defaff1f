import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { IconName } from '../ui-host.js'
import { findMention, type InputMention, takeMention } from './find-mention.js'

/** A replacement for the text being typed. */
export interface Suggestion {
  label: string
  about?: string
  icon?: IconName
  /** Text to insert. */
  insert: string
}

/** Suggestions for the name that is being typed at the cursor. They never belong to another text than the one shown. */
export function useSuggestions(text: string, suggest: (mention: InputMention) => Promise<Suggestion[]>) {
  const [all, setAll] = useState<Suggestion[]>([])
  const [marked, setMarked] = useState(0)
  const [mention, setMention] = useState<InputMention | undefined>()
  const asked = useRef(0)
  /** The text that the suggestions are for. */
  const shownFor = useRef('')

  const close = () => {
    asked.current++
    setAll([])
    setMention(undefined)
  }
  useEffect(() => close, [])
  // The text was changed by something else than typing: sent, cleared, or replaced by a draft.
  useLayoutEffect(() => {
    if (mention !== undefined && shownFor.current !== text) close()
  }, [text])

  /** Looks at the text before the cursor. */
  async function look(typed: string, cursor: number): Promise<void> {
    const found = findMention(typed, cursor)
    shownFor.current = typed
    if (found === undefined) return close()
    if (mention !== undefined && found.start === mention.start && found.wanted === mention.wanted) return
    const mine = ++asked.current
    setMention(found)
    setMarked(0)
    const next = await suggest(found).catch(() => [])
    // A late answer is for something that is no longer typed.
    if (mine === asked.current) setAll(next)
  }

  // Until the answer for the last letters comes, only what still fits is offered.
  const list = mention === undefined ? [] : all.filter(({ label, about = '' }) => holds(`${label} ${about}`, mention))

  /** The text with a suggestion taken, and where the cursor goes then. */
  // `!`: a suggestion is taken from the list that is shown for the field's mention.
  const taken = (typed: string, cursor: number, at: number) => takeMention(typed, cursor, mention!, list[at]!.insert)

  /** True if the key was for the list. */
  function onKey(event: KeyboardEvent, take: (at: number) => void): boolean {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setMarked((marked + step + list.length) % list.length)
    else if (event.key === 'Enter' || event.key === 'Tab') take(Math.min(marked, list.length - 1))
    else if (event.key === 'Escape') close()
    else return false
    event.preventDefault()
    return true
  }

  return { list, marked: Math.min(marked, list.length - 1), mention, look, taken, onKey, close }
}

const holds = (text: string, { wanted }: InputMention): boolean => {
  const folded = text.toLowerCase()
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => folded.includes(word))
}
