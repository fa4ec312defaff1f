import { useState } from 'preact/hooks'
import { DrawnIcon, Menu } from '../../../../ui/index.js'
import type { SessionRow } from '../overview.js'
import { RenameField, useChatActions } from './chat-list.js'
import { keysOf } from './keyboard.js'
import type { Chats } from './use-chats.js'

interface ChatHeaderProps {
  title: string
  /** The shown chat; undefined for a new one, and in other views. */
  chat: SessionRow | undefined
  chats: Chats
  onRemoved(id: string): void
  onGraph: (() => void) | undefined
  onPalette(): void
}

/** Title of what is shown, and what can be done with it. */
export function ChatHeader({ title, chat, chats, onRemoved, onGraph, onPalette }: ChatHeaderProps) {
  const palette = `Command palette (${keysOf('palette').join('+')})`
  return (
    <>
      {chat === undefined ? (
        <h1 class="nw-cut nw-grow">{title}</h1>
      ) : (
        <ChatTitle key={chat.id} title={title} chat={chat} chats={chats} onRemoved={onRemoved} onGraph={onGraph} />
      )}
      <button type="button" class="nw-btn-icon nw-btn-plain" aria-label={palette} title={palette} onClick={onPalette}>
        <DrawnIcon name="search" />
      </button>
    </>
  )
}

function ChatTitle({
  title,
  chat,
  chats,
  onRemoved,
  onGraph,
}: Omit<ChatHeaderProps, 'chat' | 'onPalette'> & { chat: SessionRow }) {
  const [isRenaming, setRenaming] = useState(false)
  const actions = useChatActions(chat, chats, onRemoved)
  return (
    <>
      {isRenaming ? (
        <RenameField
          title={title}
          onDone={(next) => {
            setRenaming(false)
            if (next !== undefined) actions.rename(next)
          }}
        />
      ) : (
        <h1 class="nw-cut nw-grow">{title}</h1>
      )}
      {chat.waiting > 0 && <span class="nw-badge nw-badge-warn">Needs you</span>}
      {onGraph && (
        <button
          type="button"
          class="nw-btn-icon nw-btn-plain"
          aria-label="Notes in this chat"
          title="Notes in this chat"
          onClick={onGraph}
        >
          <DrawnIcon name="graph" />
        </button>
      )}
      <Menu
        label="More for this chat"
        class="nw-btn-icon nw-btn-plain"
        groups={actions.groups(() => setRenaming(true))}
      >
        <DrawnIcon name="more" />
      </Menu>
      {actions.dialog}
    </>
  )
}
