import type { ProfileFamily } from '../profile.js'

export const mistral: ProfileFamily = {
  matches: /mistral|mixtral|ministral|magistral|codestral|devstral|pixtral|voxtral/,
  profile: { family: 'mistral', dialect: 'auto' },
  variants: [
    {
      matches: /magistral/,
      profile: {
        thinking: { control: 'always' },
      },
    },
  ],
}
