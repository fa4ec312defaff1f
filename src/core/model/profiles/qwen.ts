import type { ProfileFamily } from '../profile.js'

/**
 * Qwen was trained on the Hermes format: JSON between tool_call tags. Its thinking models open the reasoning in the
 * template.
 */
export const qwen: ProfileFamily = {
  matches: /qwen|qwq|qvq/,
  profile: { family: 'qwen', dialect: 'auto' },
  variants: [
    { matches: /qwq|qwen.*thinking/, profile: { startsInReasoning: true, thinking: { control: 'always' } } },
    { matches: /qwen-?(1|1\.5|2)(?![.\d])/, profile: { dialect: 'sentinel' } },
  ],
}
