import type { PrematureRule, ProfileFamily } from '../profile.js'

const beforeResults: PrematureRule = { sentencesBefore: 2, charactersBefore: 200, charactersAfter: 100 }

/** Claude thinks within a budget and then takes no temperature. Claude 4 tends to answer before results are there. */
export const claude: ProfileFamily = {
  matches: /claude/,
  profile: {
    family: 'claude',
    dialect: 'native',
    textDialect: 'use-tool',
    cacheMarks: true,
    window: 200_000,
    // An image may have 5 MB in base64, which is longer by a third.
    files: { image: 3_900_000, pdf: 20_000_000 },
  },
  variants: [
    { matches: /claude-(instant|[12](?!\d))/, profile: { files: {} } },
    {
      matches: /claude-(3-7|3\.7|(opus|sonnet|haiku)-[4-9]|[4-9])|claude-[a-z]+-[4-9]/,
      profile: {
        thinking: { control: 'budget', standard: 'on', budget: 2048 },
        temperature: 'not-while-thinking',
      },
    },
    {
      matches: /claude-((opus|sonnet|haiku)-4|4)/,
      profile: {
        premature: beforeResults,
        toolRules: [
          'Work in rounds: at most two short sentences, then the calls, then stop.',
          'End your reply right after the last call. The results come in the next round. Do not write as if you already had them.',
          'Write the full answer only in a round without calls.',
        ],
      },
    },
    {
      matches: /claude-(opus-4-[78]|[a-z]+-[5-9])/,
      profile: { temperature: 'never', premature: undefined },
    },
  ],
}
