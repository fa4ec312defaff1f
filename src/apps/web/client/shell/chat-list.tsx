import { useEffect, useRef, useState } from 'preact/hooks'
import { count, visibleText } from '../../../../core/text/index.js'
import { DrawnIcon, Menu, useHost } from '../../../../ui/index.js'
import { failureOf } from '../ask-server.js'
import type { SessionRow } from '../overview.js'
import { chatGroups, chatTime } from './chat-groups.js'
import { focusIfLost } from './focus.js'
import { ConfirmSheet } from './sheet.js'
import type { Chats } from './use-chats.js'

interface ChatListProps {
  chats: Chats
  rows: readonly SessionRow[]
  current: string | undefined
  onOpen(id: string): void
  /** Called when the chat is gone. */
  onRemoved(id: string): void
  /** With what each chat is about, as on a page of its own; otherwise one line each. */
  isLong?: boolean
}

/** Chats by date. Each has a menu; F2 renames and Delete deletes the focused one. */
export function ChatList({ rows, ...props }: ChatListProps) {
  const now = new Date()
  return (
    <>
      {chatGroups(rows, now).map(({ name, chats }) => (
        <div key={name}>
          <h3 class={props.isLong ? 'page-day' : 'page-side-day'}>{name}</h3>
          <ul>
            {chats.map((chat) => (
              <ChatRow key={chat.id} chat={chat} now={now} {...props} />
            ))}
          </ul>
        </div>
      ))}
    </>
  )
}

function ChatRow({
  chat,
  now,
  chats,
  current,
  onOpen,
  onRemoved,
  isLong,
}: Omit<ChatListProps, 'rows'> & { chat: SessionRow; now: Date }) {
  const [isRenaming, setRenaming] = useState(false)
  const row = useRef<HTMLButtonElement>(null)
  const actions = useChatActions(chat, chats, onRemoved)
  const title = titleOf(chat)
  const isHere = chat.id === current
  const facts = isLong && [chat.passage && visibleText(chat.passage).text, count(chat.turns, 'question')]

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'F2') setRenaming(true)
    else if (event.key === 'Delete') actions.remove()
    else return
    event.preventDefault()
  }

  return (
    <li class={isLong ? 'page-chat-row' : 'page-chat-line'}>
      {isRenaming ? (
        <RenameField
          title={title}
          onDone={(next) => {
            setRenaming(false)
            if (next !== undefined) actions.rename(next)
            requestAnimationFrame(() => row.current?.focus())
          }}
        />
      ) : (
        <button
          type="button"
          class="page-row"
          ref={row}
          aria-current={isHere ? 'page' : undefined}
          title={title}
          onClick={() => onOpen(chat.id)}
          onKeyDown={onKeyDown}
        >
          <span class="nw-grow">
            <span class="page-row-title nw-cut">{title}</span>
            {facts && <span class="nw-facts-line nw-cut">{facts.filter(Boolean).join(' · ')}</span>}
          </span>
          {chat.waiting > 0 ? (
            <span class="nw-badge nw-badge-warn">Needs you</span>
          ) : chat.running ? (
            <span class="nw-spin" role="img" aria-label="Answering" />
          ) : (
            isLong && <time dateTime={chat.updatedAt}>{chatTime(chat.updatedAt, now)}</time>
          )}
        </button>
      )}
      <Menu
        label={`More for ${title}`}
        title="More"
        class="nw-btn-icon nw-btn-small nw-btn-plain page-row-more"
        groups={actions.groups(() => setRenaming(true))}
      >
        <DrawnIcon name="more" />
      </Menu>
      {actions.dialog}
    </li>
  )
}

export const titleOf = ({ title, id }: Pick<SessionRow, 'title' | 'id'>): string => visibleText(title || id).text

/** The actions that a menu offers for a chat. */
export function useChatActions(
  chat: Pick<SessionRow, 'id' | 'title' | 'pinned'>,
  chats: Chats,
  onRemoved: (id: string) => void,
) {
  const { notify } = useHost()
  const attempt = (work: Promise<unknown>, done?: string) =>
    void work.then(
      () => done && notify(done),
      (error: unknown) => notify(failureOf(error).text),
    )
  const [isAsked, setAsked] = useState(false)
  const remove = () => setAsked(true)
  const dialog = isAsked && (
    <ConfirmSheet
      title={`Delete “${titleOf(chat)}”?`}
      action="Delete"
      onClose={() => setAsked(false)}
      onConfirm={() =>
        attempt(
          chats.remove(chat.id).then(() => {
            onRemoved(chat.id)
            focusIfLost()
          }),
          'Chat deleted.',
        )
      }
    >
      This can't be undone. Notes it changed stay as they are.
    </ConfirmSheet>
  )
  const rename = (title: string) => attempt(chats.rename(chat.id, title))
  const groups = (onRename: () => void) => [
    {
      items: [
        { label: 'Rename', icon: 'edit' as const, keys: 'F2', onChoose: onRename },
        {
          label: chat.pinned ? 'Unpin' : 'Pin',
          icon: 'pin' as const,
          onChoose: () => attempt(chats.pin(chat.id, !chat.pinned)),
        },
        {
          label: 'Duplicate',
          icon: 'copy' as const,
          onChoose: () => attempt(chats.duplicate(chat.id), 'Chat duplicated.'),
        },
        { label: 'Export', icon: 'download' as const, onChoose: () => attempt(chats.save(chat.id)) },
      ],
    },
    { items: [{ label: 'Delete', icon: 'trash' as const, isDanger: true, keys: 'Del', onChoose: remove }] },
  ]
  return { remove, rename, groups, dialog }
}

/** Enter and leaving the field save; Escape keeps the old title. */
export function RenameField({ title, onDone }: { title: string; onDone(title: string | undefined): void }) {
  const field = useRef<HTMLInputElement>(null)
  const isDone = useRef(false)
  useEffect(() => field.current?.select(), [])
  const done = (next: string | undefined) => {
    if (isDone.current) return
    isDone.current = true
    onDone(next === undefined || next.trim() === '' || next.trim() === title ? undefined : next.trim())
  }
  return (
    <input
      type="text"
      class="page-rename"
      aria-label="Title of the chat"
      maxLength={300}
      defaultValue={title}
      ref={field}
      onBlur={(event) => done(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.isComposing) return
        if (event.key === 'Enter') done(event.currentTarget.value)
        else if (event.key === 'Escape') done(undefined)
        else return
        event.preventDefault()
        event.stopPropagation()
      }}
    />
  )
}
