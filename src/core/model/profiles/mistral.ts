import type { ProfileFamily } from '../profile.js'

export const mistral: ProfileFamily = {
  matches: /mistral|mixtral|ministral|magistral|codestral|devstral|pixtral|voxtral/,
  profile: { family: 'mistral', dialect: 'auto' },
  variants: [
    {
      matches: /mistral-(small-?3[.-][12]|medium-?3|large-?3)|ministral-?3/,
      profile: { files: { image: 20_000_000 } },
    },
    {
      matches: /magistral/,
      profile: {
        thinking: { control: 'always' },
      },
    },
  ],
}
