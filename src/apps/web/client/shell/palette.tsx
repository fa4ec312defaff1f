import type { ComponentChildren } from 'preact'
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks'
import { visibleText } from '../../../../core/text/index.js'
import { DrawnIcon } from '../../../../ui/index.js'
import type { IconName } from '../../../../ui/ui-host.js'
import { getJson } from '../ask-server.js'
import type { SessionRow } from '../overview.js'
import { titleOf } from './chat-list.js'
import { noteName } from './note-tree.js'
import { Sheet } from './sheet.js'

/** Something the palette can do. */
export interface PaletteCommand {
  label: string
  /** Other words it is found by, such as the slash command. */
  also?: string
  icon: IconName
  keys?: readonly string[]
  run(): void
}

interface PaletteProps {
  commands: readonly PaletteCommand[]
  chats: readonly SessionRow[]
  onClose(): void
  onOpenNote(path: string): void
  onOpenChat(id: string): void
  onSettings(section: string): void
  onSearch(words: string): void
  /** Puts words into the question. */
  onAsk(words: string): void
}

interface Entry {
  id: string
  group: string
  label: string
  about?: string
  icon: IconName
  keys?: readonly string[]
  run(): void
  /** Asks about it instead of opening it. */
  ask?: () => void
}

const mostOfEach = 6

/** Finds notes, chats, commands and settings while one types. */
export function Palette(props: PaletteProps) {
  const { onClose } = props
  const [typed, setTyped] = useState('')
  const [marked, setMarked] = useState(0)
  const [notes, setNotes] = useState<readonly { path: string }[]>([])
  const sign = /^[@/]/.exec(typed)?.[0] ?? ''
  const words = typed.slice(sign.length).trim()
  const settings = useSettingsSections()
  const list = useRef<HTMLDivElement>(null)
  const id = useId()

  useEffect(() => {
    if (sign === '/') return setNotes([])
    let isLate = false
    getJson<{ notes: { path: string }[] }>(`names?wanted=${encodeURIComponent(words)}`).then(
      (found) => isLate || setNotes(found.notes),
      () => {},
    )
    return () => {
      isLate = true
    }
  }, [sign, words])

  const entries = useMemo(
    () => entriesFor(props, settings, sign, words, notes),
    [sign, words, notes, props.chats, props.commands, settings],
  )
  const at = Math.min(marked, entries.length - 1)
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [at, entries])

  function choose(entry: Entry | undefined, isAsk = false): void {
    if (entry === undefined) return
    const work = isAsk && entry.ask ? entry.ask : entry.run
    onClose()
    // Closing returns the focus to where it was; what is chosen may move it on.
    requestAnimationFrame(work)
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setMarked((at + step + entries.length) % Math.max(1, entries.length))
    else if (event.key === 'Enter') choose(entries[at], event.ctrlKey || event.metaKey)
    else return
    event.preventDefault()
  }

  return (
    <Sheet label="Command palette" class="page-palette" onClose={onClose}>
      <div class="page-palette-find">
        <DrawnIcon name="search" />
        <input
          type="text"
          role="combobox"
          aria-label="Find a note, chat, command or setting"
          placeholder="Find a note, chat, command or setting"
          aria-expanded={entries.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={entries.length > 0 ? `${id}-${at}` : undefined}
          aria-autocomplete="list"
          autocomplete="off"
          value={typed}
          onInput={(event) => {
            setTyped(event.currentTarget.value)
            setMarked(0)
          }}
          onKeyDown={onKeyDown}
        />
        <kbd class="nw-key page-wide">Esc</kbd>
      </div>
      <div class="page-palette-list" role="listbox" id={`${id}-list`} aria-label="Found" tabIndex={-1} ref={list}>
        {entries.map((entry, place) => (
          <div key={entry.id}>
            {entry.group !== entries[place - 1]?.group && (
              <p class="nw-menu-title" aria-hidden="true">
                {entry.group}
              </p>
            )}
            <div
              class="nw-item"
              role="option"
              id={`${id}-${place}`}
              tabIndex={-1}
              aria-selected={place === at}
              onMouseMove={() => setMarked(place)}
              onMouseDown={(event) => {
                event.preventDefault()
                choose(entry, event.ctrlKey || event.metaKey)
              }}
            >
              <DrawnIcon name={entry.icon} />
              <span class="nw-grow nw-cut">
                <Marked text={entry.label} words={words} />
                {entry.about && <span class="page-palette-about">{visibleText(entry.about).text}</span>}
              </span>
              <span class="nw-keys" aria-hidden="true">
                {entry.keys?.map((key) => (
                  <kbd class="nw-key" key={key}>
                    {key}
                  </kbd>
                ))}
              </span>
            </div>
          </div>
        ))}
      </div>
      <footer class="page-hints page-wide" aria-hidden="true">
        <Hint keys={['↑', '↓']}>Move</Hint>
        <Hint keys={['↵']}>Open</Hint>
        <Hint keys={['Ctrl', '↵']}>Ask about it</Hint>
        <span class="nw-grow" />
        <span>
          Type <kbd class="nw-key">@</kbd> for notes, <kbd class="nw-key">/</kbd> for commands
        </span>
      </footer>
    </Sheet>
  )
}

function Hint({ keys, children }: { keys: readonly string[]; children: ComponentChildren }) {
  return (
    <span>
      <span class="nw-keys">
        {keys.map((key) => (
          <kbd class="nw-key" key={key}>
            {key}
          </kbd>
        ))}
      </span>{' '}
      {children}
    </span>
  )
}

/** A text with the typed words in it marked. */
function Marked({ text, words }: { text: string; words: string }) {
  const shown = visibleText(text).text
  const at = words === '' ? -1 : shown.toLowerCase().indexOf(words.toLowerCase())
  if (at === -1) return <>{shown}</>
  return (
    <>
      {shown.slice(0, at)}
      <em>{shown.slice(at, at + words.length)}</em>
      {shown.slice(at + words.length)}
    </>
  )
}

/** They are loaded with the settings. */
function useSettingsSections(): readonly string[] {
  const [sections, setSections] = useState<readonly string[]>([])
  useEffect(() => {
    let isLate = false
    import('../settings/settings-pane.js').then(
      ({ settingsSections }) => isLate || setSections(settingsSections),
      () => {},
    )
    return () => {
      isLate = true
    }
  }, [])
  return sections
}

function entriesFor(
  props: PaletteProps,
  settings: readonly string[],
  sign: string,
  words: string,
  notes: readonly { path: string }[],
): Entry[] {
  const { commands, chats, onOpenNote, onOpenChat, onSettings, onSearch, onAsk } = props
  const holds = (text: string) => text.toLowerCase().includes(words.toLowerCase())
  // While the next answer is on its way, notes of the last one that no longer fit are not offered.
  const fitting = notes.filter(({ path }) => holds(path))
  const foundNotes = fitting.slice(0, sign === '@' ? 20 : mostOfEach).map(
    ({ path }): Entry => ({
      id: `note ${path}`,
      group: 'Notes',
      label: noteName(path),
      about: path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '',
      icon: 'note',
      run: () => onOpenNote(path),
      ask: () => onAsk(`@[[${path.replace(/\.md$/i, '')}]] `),
    }),
  )
  const foundChats = chats
    .filter((chat) => holds(titleOf(chat)))
    .slice(0, mostOfEach)
    .map(
      (chat): Entry => ({
        id: `chat ${chat.id}`,
        group: 'Chats',
        label: titleOf(chat),
        about: chat.waiting > 0 ? 'Needs you' : '',
        icon: 'chat',
        run: () => onOpenChat(chat.id),
      }),
    )
  const foundCommands = commands
    .filter(({ label, also = '' }) => holds(label) || holds(also))
    .map(
      ({ label, also, icon, keys, run }): Entry => ({
        id: `command ${label}`,
        group: 'Commands',
        label,
        about: also ?? '',
        icon,
        ...(keys && { keys }),
        run,
      }),
    )
  const foundSettings = settings
    .filter((section) => words !== '' && (holds(section) || holds('settings')))
    .map(
      (section): Entry => ({
        id: `setting ${section}`,
        group: 'Settings',
        label: section,
        icon: 'settings',
        run: () => onSettings(section),
      }),
    )
  if (sign === '@') return foundNotes
  if (sign === '/') return foundCommands
  const withWords: Entry[] =
    words === ''
      ? []
      : [
          {
            id: 'search',
            group: 'Commands',
            label: `Search notes for “${words}”`,
            icon: 'search',
            run: () => onSearch(words),
          },
          { id: 'ask', group: 'Commands', label: `Ask “${words}”`, icon: 'chat', run: () => onAsk(words) },
        ]
  return [...foundNotes, ...foundChats, ...foundSettings, ...foundCommands, ...withWords]
}
