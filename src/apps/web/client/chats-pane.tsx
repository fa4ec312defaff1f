import { useEffect, useState } from 'preact/hooks'
import { DrawnIcon, EmptyState, FailureBox, Skeleton } from '../../../ui/index.js'
import { failureOf, getJson } from './ask-server.js'
import type { SessionRow } from './overview.js'
import { ChatList } from './shell/chat-list.js'
import type { Chats } from './shell/use-chats.js'

/** All chats by date, found by their text. */
export function ChatsPane({
  chats,
  current,
  onOpen,
  onBegin,
  onRemoved,
}: {
  chats: Chats
  current: string | undefined
  onOpen(id: string): void
  onBegin(): void
  onRemoved(id: string): void
}) {
  const [words, setWords] = useState('')
  const [found, setFound] = useState<readonly SessionRow[] | undefined>()
  const [trouble, setTrouble] = useState<unknown>()

  useEffect(() => {
    if (words.trim() === '') return setFound(undefined)
    let isLate = false
    const timer = setTimeout(() => {
      getJson<{ sessions: SessionRow[] }>(`sessions?words=${encodeURIComponent(words)}`).then(
        ({ sessions }) => {
          if (isLate) return
          setFound(sessions)
          setTrouble(undefined)
        },
        (error: unknown) => isLate || setTrouble(error),
      )
    }, 100)
    return () => {
      isLate = true
      clearTimeout(timer)
    }
  }, [words, chats.rows])

  const rows = words.trim() === '' ? chats.rows : found
  return (
    <section class="page-view" aria-label="Chats">
      <div class="page-view-body">
        <header class="page-view-head">
          <h2 class="nw-grow">Chats</h2>
          <button type="button" class="nw-btn-main" onClick={onBegin}>
            <DrawnIcon name="add" /> New chat
          </button>
        </header>
        <span class="nw-input">
          <DrawnIcon name="search" />
          <input
            type="search"
            aria-label="Search in chats"
            placeholder="Search in chats"
            value={words}
            onInput={(event) => setWords(event.currentTarget.value)}
          />
        </span>
        {trouble !== undefined && <FailureBox failure={failureOf(trouble)} title="The chats cannot be searched" />}
        {rows === undefined && trouble === undefined && <Skeleton label="Loading the chats" />}
        {rows?.length === 0 &&
          (words.trim() === '' ? (
            <EmptyState icon="chat" title="No chats yet">
              Ask something and it will be kept here.
            </EmptyState>
          ) : (
            <EmptyState icon="search" title={`Nothing found for “${words.trim()}”`} />
          ))}
        {rows && <ChatList chats={chats} rows={rows} current={current} onOpen={onOpen} onRemoved={onRemoved} isLong />}
      </div>
    </section>
  )
}
