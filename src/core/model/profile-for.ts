import type { Profile } from './profile.js'
import { defaultProfile, families } from './profiles/index.js'

/** What is known about a model, from its name as any provider spells it: `openrouter/anthropic/claude-sonnet-4`. */
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
  if (saysItSees.test(name)) profile.files = { image: picture, ...profile.files }
  return isSmall(name) ? { ...profile, stepLimit: Math.min(profile.stepLimit, smallStepLimit) } : profile
}

/** `llama3.2-vision`, `qwen2.5vl:7b`, `qwen3-vl`, `glm-4.5v`: of models that look at pictures most say so. */
const saysItSees =
  /vision|multimodal|llava|moondream|pixtral|minicpm-?v|smolvlm|internvl|[-.\d]vl(?![a-z])|glm-[\d.]+v(?![a-z])|(^|[^a-z])ocr(?![a-z])/
const picture = 20_000_000

const smallStepLimit = 8

/** `llama3.2:3b`, `qwen2.5-7b-instruct`, `gemma-3-4b-it`: up to nine billion parameters lose the thread in long turns. */
function isSmall(name: string): boolean {
  const size = name.match(/(?:^|[^\d.a-z])(\d+(?:\.\d+)?)([bm])(?![a-z])/)
  if (size === null) return false
  return size[2] === 'm' || Number(size[1]) <= 9
}
