import type { ProfileFamily } from '../profile.js'

/** Open weights in the harmony format; a server that does not translate it leaves the channel marks in the text. */
export const gptOss: ProfileFamily = {
  matches: /gpt-?oss/,
  profile: {
    family: 'gpt-oss',
    dialect: 'auto',
    thinking: { control: 'effort', lowest: 'low' },
    parallelCalls: false,
    toolRules: ['When a tool is needed, call it in this reply. Do not announce a call without making it.'],
  },
}
