import type { ConsentLevel } from '../../core/approval/index.js'
import type { IconName } from '../icon-name.js'

interface Choice {
  value: string
  label: string
  about?: string
  /** Choices with the same title stand together in the menu. */
  group?: string
}

/** A setting of the chat, as a chip of the composer that opens a menu. */
export interface ComposerSetting {
  name: string
  value: string
  choices: readonly Choice[]
  /** Before the label. Without one a dot shows whether a model answers. */
  icon?: IconName
  /** Stands at the end of the row, beside Send. */
  isAtEnd?: boolean
  /** The last entry of its menu, which leads to the settings. */
  more?: { label: string; onChoose: () => void }
  onChange: (value: string) => void
}

interface ChosenSettings {
  model: string
  mode: string
  consent: string
}

/** The options of each setting. */
interface OfferedSettings {
  models: readonly Choice[]
  modes: readonly string[]
  levels: readonly { level: ConsentLevel; label: string; about: string }[]
  /** Opens the settings of models or approvals. */
  onSettings?: (name: 'Models' | 'Approvals') => void
}

const modeWords: Record<string, { label: string; about: string }> = {
  agent: { label: 'Agent', about: 'Searches, reads and changes notes as needed' },
  'vault-qa': { label: 'Quick answer', about: 'One search, then one answer' },
  plan: { label: 'Plan first', about: 'Plans all steps, then carries them out' },
  chat: { label: 'Without notes', about: 'Only the model; no notes are read' },
}

/** How the page names a model: without its provider, and "No model" for none. */
function modelLabel(model: string): string {
  return model === 'offline' ? 'No model' : model.slice(model.indexOf('/') + 1)
}

/** A model as an entry of the menu. `about` says where it runs, if that is known. */
export function modelChoice(model: string, about?: string): Choice {
  if (model === 'offline') return { value: model, label: 'No model', about: 'Quotes from your notes, nothing else' }
  const isHere = /^(?:ollama|lmstudio)\//.test(model)
  const provider = model.includes('/') ? model.slice(0, model.indexOf('/')) : undefined
  const where = about ?? provider
  return {
    value: model,
    label: modelLabel(model),
    ...(where && { about: where }),
    group: isHere ? 'Ollama and LM Studio' : 'Other models',
  }
}

/** The choices that every chat has in its composer. */
export function conversationSettings(
  { model, mode, consent }: ChosenSettings,
  { models, modes, levels, onSettings }: OfferedSettings,
  choose: (name: keyof ChosenSettings, value: string) => void,
): ComposerSetting[] {
  const more = (name: 'Models' | 'Approvals', label: string) =>
    onSettings && { more: { label, onChoose: () => onSettings(name) } }
  return [
    {
      name: 'Approvals',
      value: consent,
      icon: 'shield',
      choices: levels.map(({ level, ...words }) => ({ value: level, ...words, group: 'Approvals in this chat' })),
      onChange: (value) => choose('consent', value),
      ...more('Approvals', 'Approval settings'),
    },
    {
      name: 'Mode',
      value: mode,
      icon: 'list',
      choices: modes.map((value) => ({ value, ...(modeWords[value] ?? { label: value }), group: 'How to answer' })),
      onChange: (value) => choose('mode', value),
    },
    {
      name: 'Model',
      value: model,
      isAtEnd: true,
      choices: models,
      onChange: (value) => choose('model', value),
      ...more('Models', 'Connect another model'),
    },
  ]
}
