export interface Choice {
  value: string
  label: string
  about?: string
}

/** A setting of the conversation that stands beside Send. */
export interface ComposerSetting {
  name: string
  value: string
  choices: readonly Choice[]
  onChange: (value: string) => void
}

export interface ChosenSettings {
  model: string
  mode: string
  consent: string
}

/** What can be chosen of each. */
export interface OfferedSettings {
  models: readonly Choice[]
  modes: readonly string[]
  levels: readonly { level: string; about: string }[]
}

/** The choices that every conversation has beside Send. */
export function conversationSettings(
  { model, mode, consent }: ChosenSettings,
  { models, modes, levels }: OfferedSettings,
  choose: (name: keyof ChosenSettings, value: string) => void,
): ComposerSetting[] {
  return [
    { name: 'Model', value: model, choices: models, onChange: (value) => choose('model', value) },
    {
      name: 'Mode',
      value: mode,
      choices: modes.map((value) => ({ value, label: value })),
      onChange: (value) => choose('mode', value),
    },
    {
      name: 'Consent',
      value: consent,
      choices: levels.map(({ level, about }) => ({ value: level, label: level, about })),
      onChange: (value) => choose('consent', value),
    },
  ]
}
