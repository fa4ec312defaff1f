import type { ProfileFamily } from '../profile.js'
import { callInThisReply } from '../profile.js'

/** GPT tends to promise a call instead of making it, so it gets a reminder. */
export const gpt: ProfileFamily = {
  matches: /(^|[^a-z])(gpt|chatgpt|o[134])(?=[-.\d:]|$)/,
  profile: {
    family: 'gpt',
    dialect: 'native',
    window: 128_000,
    toolRules: [callInThisReply, 'Give every required argument. Answer from tool results, not from memory.'],
    toolReminder: 'If this needs the notes or a tool, call the tool now instead of announcing it.',
  },
  variants: [
    {
      matches: /gpt-4o|4-turbo|gpt-4\.|gpt-([5-9]|\d\d)|(^|[^a-z])(o1(?!-mini|-preview)|o3(?!-mini)|o4)/,
      profile: { files: { image: 20_000_000, pdf: 20_000_000 } },
    },
    // Reasoning models take no temperature.
    {
      matches: /(^|[^a-z])(o[134](?=[-:]|$)|gpt-([5-9]|\d\d)(?!.*chat))/,
      profile: { temperature: 'never', thinking: { control: 'effort', lowest: 'low' } },
    },
    {
      matches: /gpt-5/,
      profile: {
        toolRules: [
          callInThisReply,
          'Make at most two calls at once, then read their results.',
          'Omit optional arguments that you do not need.',
        ],
      },
    },
  ],
}
