import type { RuleVocabulary } from '../../src/core/approval/rules.js'

const reaches = async () => ({})
const plan = async (): Promise<never> => {
  throw new Error('never planned')
}

/** The names that tests of rules use: a few tools of each kind, and two servers. */
export const testVocabulary: RuleVocabulary = {
  tools: [
    { name: 'read_note', effects: ['reads'], reaches },
    { name: 'file_read', effects: ['reads'], reaches },
    { name: 'search_notes', effects: ['reads'] },
    { name: 'edit_note', effects: ['writes'], plan },
    { name: 'write_note', effects: ['writes', 'destroys'], plan },
    { name: 'rename_note', effects: ['destroys'], plan },
    { name: 'delete_note', effects: ['destroys'], plan },
    { name: 'web_fetch', effects: ['reaches-network'], reaches },
    { name: 'web_search', effects: ['reaches-network'], reaches },
    { name: 'get_current_time', effects: [] },
  ],
  servers: ['issues', 'calendar'],
}
