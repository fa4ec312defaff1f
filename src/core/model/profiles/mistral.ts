import type { ProfileFamily } from '../profile.js'

export const mistral: ProfileFamily = {
  matches: /mistral|mixtral|ministral|magistral|codestral|devstral|pixtral|voxtral/,
  profile: { family: 'mistral', dialect: 'auto' },
  variants: [
    {
      matches: /magistral/,
      profile: {
        thinkTags: [
          { open: '[THINK]', close: '[/THINK]' },
          { open: '<think>', close: '</think>' },
        ],
        thinking: { control: 'always' },
      },
    },
  ],
}
