import type { ProfileFamily } from '../profile.js'

/** Llama reliably writes one call at a time; before 3.1 it knows no tool protocol. */
export const llama: ProfileFamily = {
  matches: /llama/,
  profile: {
    family: 'llama',
    dialect: 'auto',
    parallelCalls: false,
    toolRules: ['Call a tool only if needed, one call at a time. Answer directly if you can.'],
  },
  variants: [
    { matches: /llama-?4/, profile: { files: { image: 20_000_000 } } },
    { matches: /llama-?(2|3)(?![.\d])|codellama/, profile: { dialect: 'sentinel' } },
  ],
}
