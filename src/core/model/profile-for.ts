import type { Profile } from './profile.js'
import { defaultProfile, families } from './profiles/index.js'

/** Finds the profile of a model by its name as any provider spells it: `openrouter/anthropic/claude-sonnet-4`. */
export function profileFor(modelId: string): Profile {
  // The vendor's folder says nothing about the model: `meta-llama/…`, but also `someone/claude-fan-finetune`.
  const name = modelId.toLowerCase().split('/').at(-1) ?? ''
  const family = families.find(({ matches }) => matches.test(name))
  const variants = family?.variants?.filter(({ matches }) => matches.test(name)) ?? []
  const profile = Object.assign(
    {},
    defaultProfile,
    family?.profile,
    ...variants.map(({ profile }) => profile),
  ) as Profile
  if (visionNames.test(name)) profile.files = { image: imageLimit, ...profile.files }
  return isSmall(name) ? { ...profile, stepLimit: Math.min(profile.stepLimit, smallStepLimit) } : profile
}

/** `llama3.2-vision`, `qwen2.5vl:7b`, `qwen3-vl`, `glm-4.5v`: most models that take images say so in their name. */
const visionNames =
  /vision|multimodal|llava|moondream|pixtral|minicpm-?v|smolvlm|internvl|[-.\d]vl(?![a-z])|glm-[\d.]+v(?![a-z])|(^|[^a-z])ocr(?![a-z])/
const imageLimit = 20_000_000

const smallStepLimit = 8

/**
 * `llama3.2:3b`, `qwen2.5-7b-instruct`, `gemma-3-4b-it`: models of up to nine billion parameters get lost in long
 * turns.
 */
function isSmall(name: string): boolean {
  const size = name.match(/(?:^|[^\d.a-z])(\d+(?:\.\d+)?)([bm])(?![a-z])/)
  if (size === null) return false
  return size[2] === 'm' || Number(size[1]) <= 9
}
