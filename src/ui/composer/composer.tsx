import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { visibleText } from '../../core/text/index.js'
import { useHost } from '../ui-host.js'
import type { ComposerSetting } from './conversation-settings.js'
import { findMention, type Mention, takeMention } from './find-mention.js'

/** Something that can stand for what is being typed. */
export interface Suggestion {
  label: string
  about?: string
  /** What comes into the text. */
  insert: string
}

/** Something that goes along with a question. */
export interface Attachment {
  name: string
  about: string
}

/** What was dropped in or pasted: files, or a text too long to be written among the words. */
export type Given = { files: readonly File[] } | { text: string }

export interface ComposerProps {
  text: string
  onText: (text: string) => void
  isRunning: boolean
  /** Why nothing can be sent right now. */
  blocked?: string
  placeholder: string
  settings: readonly ComposerSetting[]
  suggest: (mention: Mention) => Promise<Suggestion[]>
  /** What goes along with the words. */
  attached?: readonly Attachment[]
  /** Takes what is dropped in or pasted; without it nothing but words is. */
  onAttach?: (given: Given) => void
  onDetach?: (at: number) => void
  onSend: () => void
  onStop: () => void
}

/** Where the person writes. Enter sends, unless an input method is composing; Shift+Enter begins a line; Escape stops. */
export function Composer(props: ComposerProps) {
  const { text, onText, isRunning, blocked, settings, attached = [], onSend, onStop } = props
  const { Icon } = useHost()
  const field = useRef<HTMLTextAreaElement>(null)
  const suggestions = useSuggestions(props.suggest)
  const { list, marked, mention } = suggestions
  const id = useId()
  const canSend = text.trim() !== '' && !isRunning && blocked === undefined

  useLayoutEffect(() => grow(field.current!), [text])

  const taken = (at: number) => takeMention(text, field.current!.selectionStart, mention!, list[at].insert)

  function take(at: number): void {
    const next = taken(at)
    suggestions.close()
    onText(next.text)
    const { defaultView } = field.current!.ownerDocument
    defaultView?.requestAnimationFrame(() => {
      field.current?.focus()
      field.current?.setSelectionRange(next.cursor, next.cursor)
    })
  }

  function onKeyDown(event: KeyboardEvent): void {
    // While an input method composes, every key is its own. Safari tells of its last one only by this code.
    if (event.isComposing || event.keyCode === 229) return
    // What is typed in full is sent at once.
    const isWhole = list.length > 0 && event.key === 'Enter' && taken(marked).text.trim() === text.trim()
    if (isWhole) suggestions.close()
    else if (list.length > 0 && suggestions.onKey(event, take)) return
    if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
      event.preventDefault()
      if (canSend) onSend()
    }
    if (event.key === 'Escape' && isRunning) {
      event.preventDefault()
      onStop()
    }
  }

  function onPaste(event: ClipboardEvent): void {
    const files = [...(event.clipboardData?.files ?? [])]
    const pasted = event.clipboardData?.getData('text/plain') ?? ''
    if (props.onAttach === undefined) return
    if (files.length > 0) props.onAttach({ files })
    else if (isLong(pasted)) props.onAttach({ text: pasted })
    else return
    event.preventDefault()
  }

  /** Files go along; a link to a note is written as one names it. */
  function onDrop(event: DragEvent): void {
    event.preventDefault()
    const files = [...(event.dataTransfer?.files ?? [])]
    const dropped = event.dataTransfer?.getData('text/plain') ?? ''
    const notes = notesIn(dropped)
    if (files.length > 0) props.onAttach?.({ files })
    else if (notes.length === 0 && isLong(dropped)) props.onAttach?.({ text: dropped })
    else
      onText(
        `${text}${text === '' || text.endsWith(' ') ? '' : ' '}${notes.length > 0 ? notes.map((note) => `@[[${note}]] `).join('') : dropped}`,
      )
    field.current?.focus()
  }

  return (
    <form
      class="nw-composer"
      onDragOver={(event) => event.preventDefault()}
      onDrop={onDrop}
      onSubmit={(event) => {
        event.preventDefault()
        if (canSend) onSend()
      }}
    >
      {list.length > 0 && (
        <div class="nw-suggestions" role="listbox" id={`${id}-list`} aria-label="Suggestions">
          {list.map(({ label, about }, at) => (
            <div
              key={label}
              role="option"
              tabIndex={-1}
              id={`${id}-${at}`}
              aria-selected={at === marked}
              onMouseDown={(event) => {
                event.preventDefault()
                take(at)
              }}
            >
              {visibleText(label).text} {about && <small>{visibleText(about).text}</small>}
            </div>
          ))}
        </div>
      )}
      <textarea
        ref={field}
        rows={1}
        value={text}
        aria-label="Your question"
        placeholder={props.placeholder}
        aria-controls={list.length > 0 ? `${id}-list` : undefined}
        aria-activedescendant={list.length > 0 ? `${id}-${marked}` : undefined}
        aria-autocomplete="list"
        onInput={(event) => {
          const { value, selectionStart } = event.currentTarget
          onText(value)
          void suggestions.look(findMention(value, selectionStart))
        }}
        onBlur={suggestions.close}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
      {attached.length > 0 && (
        <ul class="nw-attached" aria-label="Goes along">
          {attached.map(({ name, about }, at) => (
            <li key={at}>
              {visibleText(name).text} <small>{about}</small>{' '}
              <button
                type="button"
                class="nw-quiet"
                aria-label={`Leave out ${name}`}
                onClick={() => props.onDetach?.(at)}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div class="nw-composer-row">
        {settings.map((setting) => (
          <SettingChoice key={setting.name} {...setting} />
        ))}
        {isRunning ? (
          <button type="button" class="nw-send" onClick={onStop}>
            <Icon name="stop" /> Stop <small>(Esc)</small>
          </button>
        ) : (
          <button type="submit" class="nw-send mod-cta" disabled={!canSend}>
            <Icon name="send" /> Send
          </button>
        )}
      </div>
      {blocked && <p class="nw-remark">{blocked}</p>}
    </form>
  )
}

function SettingChoice({ name, value, choices, onChange }: ComposerSetting) {
  const about = choices.find((choice) => choice.value === value)?.about
  return (
    <select
      aria-label={name}
      title={about ? `${name}: ${about}` : name}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value} title={choice.about}>
          {visibleText(choice.label).text}
        </option>
      ))}
    </select>
  )
}

/** Longer than this, a text is no part of a sentence. */
const isLong = (text: string): boolean => text.length > 2000 || text.split('\n').length > 20

/** The notes that dropped links name, one a line; none where there is anything else. */
function notesIn(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const notes = lines.flatMap((line) => noteIn(line) ?? [])
  return notes.length === lines.length ? notes : []
}

/** The note that a dropped link names: of Obsidian, or as notes name each other. */
function noteIn(text: string): string | undefined {
  const [, linked] = /^\s*\[\[([^\]|\n]+)[^\]\n]*\]\]\s*$/.exec(text) ?? []
  if (linked !== undefined) return linked
  const [, file] = /^obsidian:\/\/open\?(?:.*&)?file=([^&\s]+)/.exec(text.trim()) ?? []
  return file === undefined ? undefined : decoded(file).replace(/\.md$/i, '')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** As high as its text, up to a third of the window. */
function grow(field: HTMLTextAreaElement): void {
  field.rows = 1
  const shownIn = field.ownerDocument.defaultView ?? window
  const line = Number.parseFloat(shownIn.getComputedStyle(field).lineHeight) || 20
  const most = Math.max(3, Math.floor(shownIn.innerHeight / 3 / line))
  field.rows = Math.min(most, Math.max(1, Math.round(field.scrollHeight / line)))
}

function useSuggestions(suggest: ComposerProps['suggest']) {
  const [list, setList] = useState<Suggestion[]>([])
  const [marked, setMarked] = useState(0)
  const [mention, setMention] = useState<Mention | undefined>()
  const asked = useRef(0)

  const close = () => {
    asked.current++
    setList([])
    setMention(undefined)
  }
  useEffect(() => close, [])

  async function look(found: Mention | undefined): Promise<void> {
    const mine = ++asked.current
    setMention(found)
    const next = found === undefined ? [] : await suggest(found).catch(() => [])
    // An answer that comes late is for something that is no longer typed.
    if (mine !== asked.current) return
    setList(next)
    setMarked(0)
  }

  /** Whether the key was for the list. */
  function onKey(event: KeyboardEvent, take: (at: number) => void): boolean {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setMarked((marked + step + list.length) % list.length)
    else if (event.key === 'Enter' || event.key === 'Tab') take(marked)
    else if (event.key === 'Escape') close()
    else return false
    event.preventDefault()
    return true
  }

  return { list, marked, mention, look, onKey, close }
}
