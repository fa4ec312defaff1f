import type { ApprovalRequest } from '../approval/index.js'

/** Words that would leave, by whose they are. */
export interface WordGroup {
  whose: string
  isTyped: boolean
  words: string[]
}

/** "yours: peas", "in Journal.md: diary", "neither yours nor in a note that was read: evil, test". */
export function wordGroups(words: ApprovalRequest['words']): WordGroup[] {
  const groups = new Map<string, WordGroup>()
  const add = (whose: string, word: string, isTyped = false) => {
    const group = groups.get(whose) ?? { whose, isTyped, words: [] }
    groups.set(whose, group)
    group.words.push(word)
  }
  for (const { word, from, notes = [] } of words) {
    if (from === 'person') add('yours', word, true)
    if (from === 'unknown') add('neither yours nor in a note that was read', word)
    for (const { path, as } of notes) add(`in ${path}`, as ? `${word} (${as})` : word)
  }
  return [...groups.values()]
}
