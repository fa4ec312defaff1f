import type { ProfileFamily } from '../profile.js'

export const kimi: ProfileFamily = {
  matches: /kimi|moonshot/,
  profile: {
    family: 'kimi',
    dialect: 'auto',
    thinkTags: [
      { open: '<think>', close: '</think>' },
      { open: '◁think▷', close: '◁/think▷' },
    ],
  },
  variants: [{ matches: /thinking/, profile: { thinking: { control: 'always' } } }],
}
