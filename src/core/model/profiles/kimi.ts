import type { ProfileFamily } from '../profile.js'

export const kimi: ProfileFamily = {
  matches: /kimi|moonshot/,
  profile: {
    family: 'kimi',
    dialect: 'auto',
    window: 128_000,
  },
  variants: [{ matches: /thinking/, profile: { thinking: { control: 'always' } } }],
}
