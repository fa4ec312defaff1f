import { useCallback, useEffect, useState } from 'preact/hooks'
import { getJson, postJson } from '../ask-server.js'
import type { SessionRow } from '../overview.js'

/** The list of chats, and what can be done with one. */
export interface Chats {
  /** Undefined until the list has come. */
  rows: readonly SessionRow[] | undefined
  /** Requests the list again. */
  look(): void
  rename(id: string, title: string): Promise<void>
  pin(id: string, pinned: boolean): Promise<void>
  remove(id: string): Promise<void>
  save(id: string): Promise<void>
  /** Creates a copy and returns its id. */
  duplicate(id: string): Promise<string>
}

/** A title of the model comes some time after the answer, and another tab can change a chat at any time. */
const lookEveryMs = 8000

export function useChats(): Chats {
  const [rows, setRows] = useState<readonly SessionRow[] | undefined>()
  const look = useCallback(() => {
    // While the server does not respond, the last list stays; the chat shows the lost connection.
    getJson<{ sessions: SessionRow[] }>('sessions').then(
      ({ sessions }) => setRows(sessions),
      () => {},
    )
  }, [])
  useEffect(() => {
    look()
    const lookIfSeen = () => !document.hidden && look()
    const timer = setInterval(lookIfSeen, lookEveryMs)
    document.addEventListener('visibilitychange', lookIfSeen)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', lookIfSeen)
    }
  }, [])
  const change = async <Answer>(id: string, what: string, body?: unknown): Promise<Answer> => {
    const answer = await postJson<Answer>(`sessions/${encodeURIComponent(id)}/${what}`, body)
    look()
    return answer
  }
  return {
    rows,
    look,
    rename: (id, title) => change(id, 'rename', { title }),
    pin: (id, pinned) => change(id, 'pin', { pinned }),
    remove: (id) => change(id, 'remove'),
    duplicate: async (id) => (await change<{ id: string }>(id, 'fork', {})).id,
    async save(id) {
      const { name, text } = await getJson<{ name: string; text: string }>(`sessions/${encodeURIComponent(id)}/export`)
      saveFile(name, text)
    },
  }
}

/** Gives the browser a file to save. */
function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/markdown' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 1000)
}
