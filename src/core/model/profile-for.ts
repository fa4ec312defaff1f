import type { Profile } from './profile.js'
import { defaultProfile, families } from './profiles/index.js'

/** What is known about a model, from its name as any provider spells it: `openrouter/anthropic/claude-sonnet-4`. */
export function profileFor(modelId: string): Profile {
  // The vendor's folder says nothing about the model: `meta-llama/…`, but also `someone/claude-fan-finetune`.
  const name = modelId.toLowerCase().split('/').at(-1) ?? ''
  const family = families.find(({ matches }) => matches.test(name))
  const variants = family?.variants?.filter(({ matches }) => matches.test(name)) ?? []
  const profile: Profile = Object.assign({}, defaultProfile, family?.profile, ...variants.map(({ profile }) => profile))
  return isSmall(name) ? { ...profile, stepLimit: Math.min(profile.stepLimit, smallStepLimit) } : profile
}

const smallStepLimit = 8

/** `llama3.2:3b`, `qwen2.5-7b-instruct`, `gemma-3-4b-it`: up to nine billion parameters lose the thread in long turns. */
function isSmall(name: string): boolean {
  const size = name.match(/(?:^|[^\d.a-z])(\d+(?:\.\d+)?)([bm])(?![a-z])/)
  if (size === null) return false
  return size[2] === 'm' || Number(size[1]) <= 9
}
