import type { Mode } from '../agent/index.js'
import type { ConsentLevel } from '../approval/index.js'
import type { GuidanceSetting } from '../tools/index.js'
import type { Project } from './project.js'

/** How the person would work without the project. */
export interface PersonsWay {
  model: string
  mode: Mode
  consent: ConsentLevel
  /** Names of the tools that are on. */
  tools: ReadonlySet<string>
}

/** What a project asks for, as far as it may. */
export interface ProjectWishes {
  model?: string
  mode?: Mode
  consent?: ConsentLevel
  /** Of a note: fewer of those that are on. Of the settings: exactly these. */
  tools?: readonly string[]
  /** Of the settings alone: as if the person had said it of the tool. */
  guidance: Record<string, GuidanceSetting>
  /** Counts as the person's own words, or as a wish of low trust. */
  instructions: { person?: string; vault?: string }
  /** What was asked for and is not given, in sentences for the person. */
  notices: string[]
}

/** The person's settings may say anything; a note in the vault may only restrict. */
export function projectWishes({ name, note, says }: Project, way: PersonsWay): ProjectWishes {
  const { model, mode, consent, tools, guidance = {}, instructions } = says
  if (note === undefined) {
    const asGuidance = Object.entries(guidance).map(([tool, text]) => [tool, { addGuidance: text }] as const)
    return {
      ...(model && { model }),
      ...(mode && { mode }),
      ...(consent && { consent }),
      ...(tools && { tools }),
      guidance: Object.fromEntries(asGuidance),
      instructions: { person: instructions },
      notices: [],
    }
  }
  const notices: string[] = []
  const ignore = (what: string) =>
    void notices.push(`The project ${name} asks for ${what}. A note can only restrict, so that is ignored.`)
  const isNarrower = <T>(order: readonly T[], wanted: T, own: T) => order.indexOf(wanted) <= order.indexOf(own)
  if (model !== undefined && model !== way.model) ignore(`the model ${model}`)
  const mayMode = mode !== undefined && isNarrower(fewerToolsFirst, mode, way.mode)
  if (mode !== undefined && !mayMode) ignore(`the mode ${mode}`)
  const mayConsent = consent !== undefined && isNarrower(narrowestFirst, consent, way.consent)
  if (consent !== undefined && !mayConsent) ignore(`the consent level ${consent}`)
  const more = tools?.filter((tool) => !way.tools.has(tool)) ?? []
  if (more.length > 0) ignore(`${more.length === 1 ? 'the tool' : 'the tools'} ${more.join(', ')}`)
  const words = [instructions, ...Object.entries(guidance).map(([tool, text]) => `About ${tool}: ${text}`)]
  return {
    ...(mayMode && { mode }),
    ...(mayConsent && { consent }),
    ...(tools && { tools: tools.filter((tool) => way.tools.has(tool)) }),
    guidance: {},
    instructions: { vault: words.filter(Boolean).join('\n\n') || undefined },
    notices,
  }
}

const narrowestFirst: readonly ConsentLevel[] = ['read-only', 'locked', 'ask-all', 'ask', 'edit', 'auto']
const fewerToolsFirst: readonly Mode[] = ['chat', 'vault-qa', 'plan', 'agent']
