import type { Profile } from '../profile.js'

/** For a model of no known family: asked once how it calls tools, without rules or reminders. */
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
