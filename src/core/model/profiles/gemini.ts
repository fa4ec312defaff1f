import type { ProfileFamily } from '../profile.js'

/** Gemini asks for permission to look, and invents what a second call needs from the first. */
export const gemini: ProfileFamily = {
  matches: /gemini/,
  profile: {
    family: 'gemini',
    dialect: 'native',
    window: 1_000_000,
    // A whole request may have 20 MB as it is sent.
    files: { image: 14_000_000, pdf: 14_000_000 },
    textDialect: 'use-tool',
    toolRules: [
      'Use a tool when it helps; do not ask whether you may.',
      'When one call needs what another returns, make them one after the other. Never fill in a value you have not seen.',
    ],
  },
  variants: [
    {
      matches: /gemini-2[.-]5/,
      profile: { thinking: { control: 'budget', unlessTold: 'on', budget: 4096, least: 0 } },
    },
    // It cannot be told not to think at all.
    {
      matches: /gemini-2[.-]5-pro/,
      profile: { thinking: { control: 'budget', unlessTold: 'on', budget: 4096, least: 128 } },
    },
    { matches: /gemini-([3-9]|\d\d)/, profile: { thinking: { control: 'effort', unlessTold: 'on', least: 'low' } } },
  ],
}
