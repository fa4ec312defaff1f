import type { SessionRow } from '../overview.js'

export interface ChatGroup {
  /** "Today", "Last 7 days", "October". */
  name: string
  chats: SessionRow[]
}

const dayMs = 86_400_000

/** Chats by the day they were last used, newest first; pinned ones come before all others. */
export function chatGroups(chats: readonly SessionRow[], now: Date): ChatGroup[] {
  const groups = new Map<string, SessionRow[]>()
  const pinned = chats.filter((chat) => chat.pinned)
  if (pinned.length > 0) groups.set('Pinned', pinned)
  for (const chat of chats) {
    if (chat.pinned) continue
    const name = groupName(new Date(chat.updatedAt), now)
    groups.set(name, [...(groups.get(name) ?? []), chat])
  }
  return [...groups].map(([name, own]) => ({ name, chats: own }))
}

function groupName(time: Date, now: Date): string {
  // Whole days between two midnights: a day with a change of the clock has 23 or 25 hours.
  const days = Math.round((startOfDay(now) - startOfDay(time)) / dayMs)
  if (days <= 0) return 'Today'
  if (days === 1) return 'Yesterday'
  if (days <= 7) return 'Last 7 days'
  const month = time.toLocaleDateString(undefined, { month: 'long' })
  return time.getFullYear() === now.getFullYear() ? month : `${month} ${time.getFullYear()}`
}

const startOfDay = (time: Date): number => new Date(time.getFullYear(), time.getMonth(), time.getDate()).getTime()

/** The time of day for today, else the date, as short as it is clear. */
export function chatTime(updatedAt: string, now: Date): string {
  const time = new Date(updatedAt)
  const days = Math.round((startOfDay(now) - startOfDay(time)) / dayMs)
  if (days <= 1) return time.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' })
  if (days <= 7) return time.toLocaleDateString(undefined, { weekday: 'short' })
  const year = time.getFullYear() === now.getFullYear() ? {} : ({ year: 'numeric' } as const)
  return time.toLocaleDateString(undefined, { day: 'numeric', month: 'short', ...year })
}
