import { useEffect, useRef } from 'preact/hooks'
import { visibleText } from '../../../../core/text/index.js'
import { DrawnIcon, Menu } from '../../../../ui/index.js'
import type { IconName } from '../../../../ui/ui-host.js'
import type { View } from '../views.js'
import { ChatList } from './chat-list.js'
import { keysOf } from './keyboard.js'
import { NoteTree } from './note-tree.js'
import { chooseTheme, type Theme } from './theme.js'
import type { Chats } from './use-chats.js'

interface SidebarProps {
  vault: string
  /** The state of the tree of notes. */
  notes: { isReading: boolean; version: string }
  /** Path of its folder. */
  folder: string
  chats: Chats
  view: View
  session: string | undefined
  note: string | undefined
  theme: Theme
  onTheme(theme: Theme): void
  /** On a narrow screen it is over the page, and open only when asked for. */
  isDrawerOpen: boolean
  onClose(): void
  onHide(): void
  onShow(view: View): void
  onBegin(): void
  onOpenChat(id: string): void
  onChatRemoved(id: string): void
  onOpenNote(path: string): void
}

const themes: { theme: Theme; label: string; icon: IconName }[] = [
  { theme: 'system', label: 'Same as system', icon: 'computer' },
  { theme: 'light', label: 'Light', icon: 'sun' },
  { theme: 'dark', label: 'Dark', icon: 'moon' },
]

/** The chats shown here; all of them are on the page of chats. */
const mostChats = 40

/** Where to go: views, recent chats, and the vault as a tree. */
export function Sidebar(props: SidebarProps) {
  const { vault, folder, chats, view, session, theme, isDrawerOpen, onClose, onShow } = props
  const close = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isDrawerOpen) close.current?.focus()
  }, [isDrawerOpen])
  const isNew = view === 'chat' && session === undefined
  const current = themes.find((one) => one.theme === theme)!
  return (
    <aside
      class="page-sidebar"
      aria-label="Vault"
      data-open={isDrawerOpen}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented || !isDrawerOpen) return
        event.preventDefault()
        onClose()
      }}
    >
      <header class="page-side-head">
        <span class="page-vault" title={visibleText(folder).text}>
          <span class="page-logo">
            <DrawnIcon name="mark" />
          </span>
          <span class="page-vault-name">
            <span class="nw-cut">{visibleText(vault).text}</span>
            <span class="page-vault-folder nw-cut">{visibleText(folder).text}</span>
          </span>
        </span>
        <button
          type="button"
          class="nw-btn-icon nw-btn-plain page-wide"
          aria-label="Hide sidebar"
          title="Hide sidebar"
          onClick={props.onHide}
        >
          <DrawnIcon name="sidebar" />
        </button>
        <button
          type="button"
          class="nw-btn-icon nw-btn-plain page-narrow"
          aria-label="Close sidebar"
          title="Close sidebar"
          ref={close}
          onClick={onClose}
        >
          <DrawnIcon name="close" />
        </button>
      </header>
      <nav class="page-side-nav" aria-label="Views">
        <NavRow icon="add" label="New chat" isCurrent={isNew} keys={keysOf('begin')} onClick={props.onBegin} />
        <NavRow icon="chat" label="Chats" isCurrent={view === 'chats'} onClick={() => onShow('chats')} />
        <NavRow
          icon="search"
          label="Search"
          isCurrent={view === 'search'}
          keys={keysOf('search')}
          onClick={() => onShow('search')}
        />
        <NavRow icon="history" label="Activity" isCurrent={view === 'activity'} onClick={() => onShow('activity')} />
        <NavRow icon="shield" label="Check vault" isCurrent={view === 'check'} onClick={() => onShow('check')} />
      </nav>
      <div class="page-side-scroll">
        <h2 class="page-side-title">Recent chats</h2>
        {chats.rows?.length === 0 && <p class="page-side-empty">Your chats will be kept here.</p>}
        {chats.rows && (
          <ChatList
            chats={chats}
            rows={recent(chats.rows)}
            current={view === 'chat' ? session : undefined}
            onOpen={props.onOpenChat}
            onRemoved={props.onChatRemoved}
          />
        )}
        <h2 class="page-side-title">Notes</h2>
        <NoteTree {...props.notes} current={props.note} onOpen={props.onOpenNote} />
      </div>
      <footer class="page-side-foot">
        <NavRow icon="settings" label="Settings" isCurrent={view === 'settings'} onClick={() => onShow('settings')} />
        <Menu
          label={`Theme: ${current.label.toLowerCase()}`}
          class="nw-btn-icon nw-btn-plain"
          groups={[
            {
              title: 'Theme',
              items: themes.map((one) => ({
                label: one.label,
                checked: one.theme === theme,
                onChoose() {
                  chooseTheme(one.theme)
                  props.onTheme(one.theme)
                },
              })),
            },
          ]}
        >
          <DrawnIcon name={current.icon} />
        </Menu>
      </footer>
    </aside>
  )
}

const recent = <Row extends { pinned?: boolean }>(rows: readonly Row[]): Row[] => [
  ...rows.filter(({ pinned }) => pinned),
  ...rows.filter(({ pinned }) => !pinned).slice(0, mostChats),
]

function NavRow({
  icon,
  label,
  isCurrent,
  keys = [],
  onClick,
}: {
  icon: IconName
  label: string
  isCurrent: boolean
  keys?: readonly string[]
  onClick(): void
}) {
  return (
    <button type="button" class="page-row" aria-current={isCurrent ? 'page' : undefined} onClick={onClick}>
      <DrawnIcon name={icon} />
      <span class="nw-grow">{label}</span>
      <span class="nw-keys" aria-hidden="true">
        {keys.map((key) => (
          <kbd class="nw-key" key={key}>
            {key}
          </kbd>
        ))}
      </span>
    </button>
  )
}
