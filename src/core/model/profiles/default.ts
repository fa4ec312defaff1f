import type { Profile } from '../profile.js'

/** A model nobody has described: asked once how it calls tools, spoken to plainly. */
export const defaultProfile: Profile = {
  family: 'default',
  dialect: 'auto',
  textDialect: 'sentinel',
  startsInReasoning: false,
  thinking: { control: 'none' },
  temperature: 'allowed',
  files: {},
  stepLimit: 10,
  parallelCalls: true,
  cacheMarks: false,
  toolRules: [],
}
