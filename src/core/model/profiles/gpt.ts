import type { ProfileFamily } from '../profile.js'

/** GPT tends to promise a call instead of making it, so it is reminded. */
export const gpt: ProfileFamily = {
  matches: /(^|[^a-z])(gpt|chatgpt|o[134])(?=[-.\d:]|$)/,
  profile: {
    family: 'gpt',
    dialect: 'native',
    window: 128_000,
    toolRules: [
      'When a tool is needed, call it in this reply. Do not announce a call without making it.',
      'Give every required argument. Answer from what the tools return, not from memory of these notes.',
    ],
    toolReminder: 'If this needs the notes or any tool, call the tool now instead of saying that you will.',
  },
  variants: [
    {
      matches: /gpt-4o|4-turbo|gpt-4\.|gpt-([5-9]|\d\d)|(^|[^a-z])(o1(?!-mini|-preview)|o3(?!-mini)|o4)/,
      profile: { files: { image: 20_000_000, pdf: 20_000_000 } },
    },
    // Reasoning models take no temperature.
    {
      matches: /(^|[^a-z])(o[134](?=[-:]|$)|gpt-([5-9]|\d\d)(?!.*chat))/,
      profile: { temperature: 'never', thinking: { control: 'effort', least: 'low' } },
    },
    {
      matches: /gpt-5/,
      profile: {
        toolRules: [
          'When a tool is needed, call it in this reply. Do not announce a call without making it.',
          'Make at most two calls at once, then look at what they returned.',
          'Leave optional arguments out when you have nothing to say in them.',
        ],
      },
    },
  ],
}
