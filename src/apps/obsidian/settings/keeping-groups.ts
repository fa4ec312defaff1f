import type { SettingDefinitionGroup, SettingDefinitionItem } from 'obsidian'
import { planForget } from '../../../core/memory/index.js'
import { count, visibleText } from '../../../core/text/index.js'
import { freshnessWords } from '../../../ui/index.js'
import { failureOf, noticeOf } from '../failure-of.js'
import { about, numberRow, toggleRow, typedRow } from './rows.js'
import type { PageParts } from './settings-page.js'

/** What the person asked to have remembered, and the note it is kept in. */
export function memoryGroups({ opened, known, plugin, text, save, refresh }: PageParts): SettingDefinitionItem[] {
  const { vault } = opened
  const forget = async (index: number) => {
    const { number, text: shown } = known.memories[index]
    try {
      const { changes, forgotten } = await planForget(vault.notebook.vault, vault.settings.memory.note, number)
      // Counted from the top, so that a note that was edited meanwhile may have another line under this number.
      if (forgotten !== shown) throw new Error('The note has changed meanwhile. Look at it again.')
      await vault.notebook.apply(changes)
      plugin.tell(`Forgotten: ${forgotten}. Undo last change brings it back.`)
    } catch (error) {
      plugin.tell(noticeOf(failureOf(error)))
    }
    await refresh()
  }
  return [
    {
      type: 'group',
      heading: 'Memory',
      items: [
        typedRow({
          key: 'memory.note',
          name: 'Memory note',
          desc: about('memory.note'),
          value: () => text('memory.note'),
          save: async (key, value) => {
            const wrong = await save(key, value)
            if (wrong === undefined) await refresh()
            return wrong
          },
        }),
      ],
    },
    {
      type: 'list',
      heading: 'What is remembered',
      emptyState: 'Nothing yet. Say it in a question: “@memory I garden in zone 7”.',
      items: known.memories.map((memory) => ({ name: visibleText(memory.text).text })),
      onDelete: (index) => void forget(index),
    },
  ]
}

export function indexGroup({ plugin, opened, known: { index }, refresh }: PageParts): SettingDefinitionGroup {
  const rebuild = async () => {
    plugin.tell('The index is being made again.')
    try {
      const { notes } = await opened.vault.notebook.update({ anew: true })
      plugin.tell(`The index is up to date: ${count(notes, 'note')}.`)
    } catch (error) {
      plugin.tell(noticeOf(failureOf(error)))
    }
    await refresh()
  }
  const skipped = index?.skipped ?? []
  return {
    type: 'group',
    heading: 'Index',
    items: [
      {
        name: 'Index status',
        desc:
          index === undefined
            ? 'It is not ready yet.'
            : `${count(index.notes, 'note')}, ${count(index.chunks, 'passage')}, ${count(index.links, 'link')}. ${freshnessWords(index.freshness)}${skipped.length > 0 ? ` Left out: ${visibleText(skipped.map(({ path }) => path).join(', ')).text}` : ''}`,
      },
      toggleRow({ key: 'index.vectors', name: 'Learn meaning' }),
      {
        name: 'Rebuild the index',
        desc: 'It is a cache, made of your notes. Nothing is sent.',
        action: () => void rebuild(),
      },
    ],
  }
}

/** How long things are kept, and what is said on the console. */
export function keepingGroup(): SettingDefinitionGroup {
  return {
    type: 'group',
    heading: 'What is kept',
    items: [
      numberRow({ key: 'log.megabytes', name: 'Log of tool calls, megabytes' }),
      numberRow({ key: 'sessions.days', name: 'Conversations, days' }),
      numberRow({ key: 'journal.days', name: 'Undo, days' }),
      toggleRow({
        key: 'debug',
        name: 'Debug log',
        desc: 'Says on the console which tools are called. Never text of notes, never keys.',
      }),
    ],
  }
}
