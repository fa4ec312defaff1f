import type { ProfileFamily } from '../profile.js'
import { callInThisReply } from '../profile.js'

/** Open weights in the harmony format; a server that does not translate it leaves the channel marks in the text. */
export const gptOss: ProfileFamily = {
  matches: /gpt-?oss/,
  profile: {
    family: 'gpt-oss',
    dialect: 'auto',
    thinking: { control: 'effort', lowest: 'low' },
    parallelCalls: false,
    toolRules: [callInThisReply],
  },
}
