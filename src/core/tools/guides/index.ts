import { useSkill } from './use-skill.js'

export const guideTools = [useSkill]
