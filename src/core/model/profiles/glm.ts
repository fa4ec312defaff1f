import type { ProfileFamily } from '../profile.js'

export const glm: ProfileFamily = {
  matches: /(^|[^a-z])(chat)?glm/,
  profile: { family: 'glm', dialect: 'auto' },
}
