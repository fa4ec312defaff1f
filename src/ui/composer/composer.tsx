import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { visibleText } from '../../core/text/index.js'
import { useHost } from '../ui-host.js'
import { findMention, type Mention, takeMention } from './find-mention.js'

/** Something that can stand for what is being typed. */
export interface Suggestion {
  label: string
  about?: string
  /** What comes into the text. */
  insert: string
}

export interface Choice {
  value: string
  label: string
  about?: string
}

/** A setting of the conversation that stands beside Send. */
export interface ComposerSetting {
  name: string
  value: string
  choices: readonly Choice[]
  onChange(value: string): void
}

export interface ComposerProps {
  text: string
  onText(text: string): void
  isRunning: boolean
  /** Why nothing can be sent right now. */
  blocked?: string
  placeholder: string
  settings: readonly ComposerSetting[]
  suggest(wanted: string): Promise<Suggestion[]>
  onSend(): void
  onStop(): void
}

/** Where the person writes. Enter sends, unless an input method is composing; Shift+Enter begins a line; Escape stops. */
export function Composer(props: ComposerProps) {
  const { text, onText, isRunning, blocked, settings, onSend, onStop } = props
  const { Icon } = useHost()
  const field = useRef<HTMLTextAreaElement>(null)
  const suggestions = useSuggestions(props.suggest)
  const { list, marked, mention } = suggestions
  const id = useId()
  const canSend = text.trim() !== '' && !isRunning && blocked === undefined

  useLayoutEffect(() => grow(field.current!), [text])

  function take(at: number): void {
    const cursor = field.current!.selectionStart
    const next = takeMention(text, cursor, mention!, list[at].insert)
    suggestions.close()
    onText(next.text)
    requestAnimationFrame(() => {
      field.current?.focus()
      field.current?.setSelectionRange(next.cursor, next.cursor)
    })
  }

  function onKeyDown(event: KeyboardEvent): void {
    // While an input method composes, every key is its own. Safari tells of its last one only by this code.
    if (event.isComposing || event.keyCode === 229) return
    if (list.length > 0 && suggestions.onKey(event, take)) return
    if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
      event.preventDefault()
      if (canSend) onSend()
    }
    if (event.key === 'Escape' && isRunning) {
      event.preventDefault()
      onStop()
    }
  }

  return (
    <form
      class="nw-composer"
      onSubmit={(event) => {
        event.preventDefault()
        if (canSend) onSend()
      }}
    >
      {list.length > 0 && (
        <div class="nw-suggestions" role="listbox" id={`${id}-list`} aria-label="Notes">
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
          suggestions.look(findMention(value, selectionStart))
        }}
        onBlur={suggestions.close}
        onKeyDown={onKeyDown}
      />
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

/** As high as its text, up to a third of the window. */
function grow(field: HTMLTextAreaElement): void {
  field.rows = 1
  const line = Number.parseFloat(getComputedStyle(field).lineHeight) || 20
  const most = Math.max(3, Math.floor(innerHeight / 3 / line))
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
    const next = found === undefined ? [] : await suggest(found.wanted).catch(() => [])
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
