import type { ProfileFamily } from '../profile.js'

/** Gemma has no tool protocol of its own before its fourth generation. */
export const gemma: ProfileFamily = {
  matches: /gemma/,
  profile: { family: 'gemma', dialect: 'auto', parallelCalls: false },
  variants: [
    {
      matches: /gemma-?[123]?(?![\d.])/,
      profile: {
        dialect: 'sentinel',
        toolRules: ['Make one call, then stop and wait for its result.'],
      },
    },
    { matches: /gemma-?[34](?!n|.*(?:[^\d]1b|270m))/, profile: { files: { image: 20_000_000 } } },
    { matches: /functiongemma|gemma-?[4-9]/, profile: { dialect: 'auto' } },
  ],
}
