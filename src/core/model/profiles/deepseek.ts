import type { ProfileFamily } from '../profile.js'

/** R1 and its distilled models think first, often without the opening tag, and were not trained to call tools. */
export const deepseek: ProfileFamily = {
  matches: /deepseek/,
  profile: { family: 'deepseek', dialect: 'auto', window: 64_000 },
  variants: [
    {
      matches: /deepseek-(r1|reasoner)/,
      profile: { startsInReasoning: true, thinking: { control: 'always' }, temperature: 'never' },
    },
    { matches: /deepseek-r1.*distill|distill.*deepseek-r1/, profile: { dialect: 'sentinel' } },
  ],
}
