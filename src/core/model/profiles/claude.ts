import type { PrematureRule, ProfileFamily } from '../profile.js'

const beforeResults: PrematureRule = { sentencesBefore: 2, charactersBefore: 200, charactersAfter: 100 }

/** Claude thinks within a budget and then takes no temperature. Claude 4 is quick to answer before results are there. */
export const claude: ProfileFamily = {
  matches: /claude/,
  profile: {
    family: 'claude',
    dialect: 'native',
    textDialect: 'use-tool',
    cacheMarks: true,
    window: 200_000,
    // A picture may have 5 MB as it is sent, which is longer by a third.
    files: { image: 3_900_000, pdf: 20_000_000 },
  },
  variants: [
    { matches: /claude-(instant|[12](?!\d))/, profile: { files: {} } },
    {
      matches: /claude-(3-7|3\.7|(opus|sonnet|haiku)-[4-9]|[4-9])|claude-[a-z]+-[4-9]/,
      profile: {
        thinking: { control: 'budget', unlessTold: 'on', budget: 2048 },
        temperature: 'not-while-thinking',
      },
    },
    {
      matches: /claude-((opus|sonnet|haiku)-4|4)/,
      profile: {
        premature: beforeResults,
        toolRules: [
          'Work in rounds: at most one or two short sentences, then the calls, then stop.',
          'End your reply right after the last call. The results come in the next round; do not write as if you had them.',
          'Write the full answer only in a round in which you make no call.',
        ],
      },
    },
    {
      matches: /claude-(opus-4-[78]|[a-z]+-[5-9])/,
      profile: { temperature: 'never', premature: undefined },
    },
  ],
}
