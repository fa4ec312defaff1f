import { useEffect, useRef } from 'preact/hooks'
import { readStored, store } from './stored.js'

/** Shortcuts of the whole page. */
export type Command = 'palette' | 'begin' | 'search' | 'approval' | 'close' | 'help'

interface Shortcut {
  keys: readonly string[]
  does: string
  /** A single letter: only outside of text fields, and it can be turned off. */
  isSingle?: boolean
}

const isMac = /Mac|iPhone|iPad/.test(navigator.platform)
const ctrl = isMac ? '⌘' : 'Ctrl'
const alt = isMac ? '⌥' : 'Alt'
const shift = isMac ? '⇧' : 'Shift'

/** Shortcuts that this module listens for. */
const commands: Record<Command, Shortcut> = {
  palette: { keys: [ctrl, 'K'], does: 'Command palette' },
  begin: { keys: [ctrl, alt, 'N'], does: 'New chat' },
  search: { keys: [ctrl, shift, 'F'], does: 'Search notes' },
  approval: { keys: [alt, 'A'], does: 'Go to what needs you' },
  close: { keys: ['Esc'], does: 'Close what is open, or stop the answer' },
  help: { keys: ['?'], does: 'Keyboard shortcuts', isSingle: true },
}

/** Those of single components, for the help. */
const elsewhere: Shortcut[] = [
  { keys: ['Enter'], does: 'Send' },
  { keys: [shift, 'Enter'], does: 'New line' },
  { keys: [ctrl, 'Enter'], does: 'Apply what needs you' },
  { keys: ['J', 'K'], does: 'Next or previous change or note' },
  { keys: ['Y', 'N'], does: 'Keep or reject it' },
  { keys: ['F2'], does: 'Rename the selected chat' },
  { keys: ['Del'], does: 'Delete the selected chat' },
]

export const keysOf = (command: Command): readonly string[] => commands[command].keys

/** The whole map, as the help shows it. */
export const shortcuts: readonly Shortcut[] = [...Object.values(commands), ...elsewhere]

const singleKey = 'notewright-single-keys'

export const areSingleKeysOn = (): boolean => readStored(singleKey) !== 'off'

export const switchSingleKeys = (on: boolean): void => store(singleKey, on ? undefined : 'off')

/** Calls back for each shortcut, wherever the focus is. */
export function useShortcuts(run: Partial<Record<Command, () => void>>): void {
  const now = useRef(run)
  now.current = run
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.isComposing || event.defaultPrevented) return
      const command = commandOf(event)
      const work = command && now.current[command]
      if (work === undefined) return
      event.preventDefault()
      work()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}

function commandOf(event: KeyboardEvent): Command | undefined {
  const { altKey, shiftKey, code } = event
  if (event.key === 'Escape') return 'close'
  const isCtrl = isMac ? event.metaKey : event.ctrlKey
  // Alt changes the letter on some keyboards, so the place of the key decides.
  if (isCtrl && !altKey && !shiftKey && event.key.toLowerCase() === 'k') return 'palette'
  if (isCtrl && altKey && !shiftKey && code === 'KeyN') return 'begin'
  if (isCtrl && shiftKey && !altKey && event.key.toLowerCase() === 'f') return 'search'
  if (altKey && !isCtrl && !shiftKey && (event.key.toLowerCase() === 'a' || code === 'KeyA')) return 'approval'
  if (event.key === '?' && !isCtrl && !altKey && areSingleKeysOn() && !isTyping(event.target)) return 'help'
  return undefined
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:TEXTAREA|INPUT|SELECT)$/.test(target.tagName))
