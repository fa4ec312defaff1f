import type { ProfileFamily } from '../profile.js'

/** Gemini asks for permission to look, and invents the input of a second call that depends on the first. */
export const gemini: ProfileFamily = {
  matches: /gemini/,
  profile: {
    family: 'gemini',
    dialect: 'native',
    window: 1_000_000,
    // A whole request may have 20 MB in base64.
    files: { image: 14_000_000, pdf: 14_000_000 },
    textDialect: 'use-tool',
    toolRules: [
      'Use a tool when it helps. Do not ask for permission first.',
      'If one call needs the result of another, make them one after the other. Never make up a value.',
    ],
  },
  variants: [
    {
      matches: /gemini-2[.-]5/,
      profile: { thinking: { control: 'budget', standard: 'on', budget: 4096, lowest: 0 } },
    },
    // Its thinking cannot be switched off.
    {
      matches: /gemini-2[.-]5-pro/,
      profile: { thinking: { control: 'budget', standard: 'on', budget: 4096, lowest: 128 } },
    },
    { matches: /gemini-([3-9]|\d\d)/, profile: { thinking: { control: 'effort', standard: 'on', lowest: 'low' } } },
  ],
}
