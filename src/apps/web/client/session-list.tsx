import { useEffect, useState } from 'preact/hooks'
import { count, visibleText } from '../../../core/text/index.js'
import { FailureBox } from '../../../ui/index.js'
import { failureOf, getJson } from './ask-server.js'
import type { SessionRow } from './overview.js'

/** Earlier conversations, the newest first, with those that wait for the person marked. */
export function SessionList({ current, onOpen }: { current: string | undefined; onOpen(id: string): void }) {
  const [words, setWords] = useState('')
  const [rows, setRows] = useState<SessionRow[] | undefined>()
  const [trouble, setTrouble] = useState<unknown>()

  useEffect(() => {
    let isLate = false
    const timer = setTimeout(async () => {
      try {
        const { sessions } = await getJson<{ sessions: SessionRow[] }>(`sessions?words=${encodeURIComponent(words)}`)
        if (!isLate) setRows(sessions)
      } catch (error) {
        if (!isLate) setTrouble(error)
      }
    }, 100)
    return () => {
      isLate = true
      clearTimeout(timer)
    }
  }, [words])

  return (
    <div class="page-list">
      <input
        type="search"
        aria-label="Search conversations"
        placeholder="Search conversations…"
        value={words}
        onInput={(event) => setWords(event.currentTarget.value)}
      />
      {trouble !== undefined && <FailureBox failure={failureOf(trouble)} />}
      {rows?.length === 0 && (
        <p class="nw-remark">
          {words === ''
            ? 'No conversations yet. Ask something, and it is kept here.'
            : 'None of them holds these words.'}
        </p>
      )}
      <ul>
        {rows?.map((row) => (
          <li key={row.id}>
            <button type="button" aria-current={row.id === current ? 'true' : undefined} onClick={() => onOpen(row.id)}>
              <strong>{visibleText(row.title || row.id).text}</strong>
              <small>
                {[
                  row.waiting > 0 && `${count(row.waiting, 'approval')} waiting`,
                  row.running && 'answering',
                  count(row.turns, 'turn'),
                  new Date(row.updatedAt).toLocaleString(),
                  row.cost ? `$${row.cost.toFixed(4)}` : '',
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </small>
              {row.passage && <small>{visibleText(row.passage).text}</small>}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
