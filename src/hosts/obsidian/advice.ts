import type { OfflineWords } from '../../core/offline/index.js'
import type { Advice } from '../../core/providers/index.js'

/** Settings that a message of the core may ask for, by the name of their row. */
export const advisedRows = { window: 'Context window', stallSeconds: 'Patience', dialect: 'Tool calls' }

/** What to do about a model, in Obsidian: there may be no terminal. */
export const pluginAdvice: Advice = {
  key: ({ name }) => `Choose one under ${placeOf(`Providers → ${name}`)}.`,
  address: ({ name }) => `enter its base URL under ${placeOf(`Providers → ${name}`)}`,
  models: ({ name }) => `See what there is: Test connection under ${placeOf(`Providers → ${name}`)}.`,
  setting(name, value) {
    const row = name.slice(name.lastIndexOf('.') + 1) as keyof typeof advisedRows
    return `${placeOf(advisedRows[row])}: ${value}`
  },
}

/** The same for what is answered without a model. */
export const offlineWords: OfflineWords = {
  model: 'Choose one under Settings → Notewright.',
  undo: 'the command *Undo last change*',
  history: 'the pane *Activity*',
  agentMode: 'Settings → Notewright → Mode',
  enable: () => 'Switch it on under Settings → Notewright.',
}

const placeOf = (name: string): string => `Settings → Notewright → ${name}`
