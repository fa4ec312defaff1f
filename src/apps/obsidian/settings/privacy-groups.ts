import type { SettingDefinitionItem } from 'obsidian'
import { visibleText } from '../../../core/text/index.js'
import { about, typedRow } from './rows.js'
import type { PageParts } from './settings-page.js'

/** What is never there for a model, which rules hold, and what was allowed for always. */
export function privacyGroups({ opened: { vault }, known, text, save, refresh }: PageParts): SettingDefinitionItem[] {
  const lines = (key: string, name: string, desc: string, placeholder: string) =>
    typedRow({ key, name, desc: `${desc} One in a line.`, placeholder, isLong: true, value: () => text(key), save })
  const revoke = async (index: number) => {
    await vault.grants.revoke(known.grants[index].id)
    await refresh()
  }
  return [
    {
      type: 'group',
      heading: 'Privacy and rules',
      items: [
        lines(
          'exclude',
          'Never share',
          'Notes and folders that are not there for search, reading and writing. So are notes with private: true, and what .notewrightignore names. What you have excluded in Obsidian is left out of search.',
          'Journal/',
        ),
        lines('permissions.deny', 'Never allow', about('permissions.deny'), 'reads(folder:Private)'),
        lines('permissions.ask', 'Always ask', about('permissions.ask'), 'writes(folder:Journal)'),
        lines('permissions.allow', 'Always allow', about('permissions.allow'), 'append_note(Inbox/**)'),
      ],
    },
    {
      type: 'list',
      heading: 'Remembered decisions',
      emptyState: 'None. What you allow for always is listed here, and can be taken back.',
      items: known.grants.map(({ rule, about: words = '', createdAt }) => ({
        name: visibleText(rule).text,
        desc: visibleText(`${words} ${createdAt.slice(0, 10)}`.trim()).text,
      })),
      onDelete: (index) => void revoke(index),
    },
  ]
}
