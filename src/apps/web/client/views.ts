/** Names of what the main part of the page can show. */
export type View = 'chat' | 'chats' | 'search' | 'note' | 'activity' | 'check' | 'settings'

export const viewTitles: Record<Exclude<View, 'chat'>, string> = {
  chats: 'Chats',
  search: 'Search',
  note: 'Note',
  activity: 'Activity',
  check: 'Check vault',
  settings: 'Settings',
}
