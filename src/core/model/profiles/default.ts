import type { Profile } from '../profile.js'

/** A model nobody has described: asked once how it calls tools, spoken to plainly. */
export const defaultProfile: Profile = {
  family: 'default',
  dialect: 'auto',
  textDialect: 'sentinel',
  thinkTags: [
    { open: '<think>', close: '</think>' },
    { open: '<thinking>', close: '</thinking>' },
  ],
  startsInReasoning: false,
  thinking: { control: 'none' },
  temperature: 'allowed',
  stepLimit: 10,
  parallelCalls: true,
  cacheMarks: false,
  toolRules: [],
}
