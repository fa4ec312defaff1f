import * as z from 'zod/mini'
import { modes } from '../agent/index.js'
import { consentLevels } from '../approval/index.js'

const texts = z.array(z.string().check(z.minLength(1)))
const plain = z.union([z.string(), z.number(), z.boolean()])

/** What a project can say: under `projects.<name>` of the settings, or as properties of a note. */
export const projectSetting = z.strictObject({
  folders: z.optional(texts),
  tags: z.optional(texts),
  notes: z.optional(texts),
  properties: z.optional(z.record(z.string(), z.union([plain, z.array(plain)]))),
  exclude: z.optional(texts),
  model: z.optional(z.string().check(z.minLength(1))),
  mode: z.optional(z.enum(modes)),
  consent: z.optional(z.enum(consentLevels)),
  tools: z.optional(texts),
  guidance: z.optional(z.record(z.string(), z.string())),
  instructions: z.optional(z.string()),
})

export type ProjectSetting = z.infer<typeof projectSetting>

/** Completes "folders must be …". */
export const projectTexts: Record<keyof ProjectSetting, { about: string; expects: string }> = {
  folders: { about: 'Folders whose notes belong to the project.', expects: 'a list of folders, e.g. ["Garden"]' },
  tags: { about: 'Tags whose notes belong to it.', expects: 'a list of tags, e.g. ["#garden"]' },
  notes: { about: 'Single notes that belong to it.', expects: 'a list of notes, e.g. ["Soil", "Plans/2026.md"]' },
  properties: {
    about: 'Properties whose notes belong to it: a name with the value it must have.',
    expects: 'names with values, e.g. {"area": "garden"}',
  },
  exclude: {
    about: 'What does not belong to it after all: folders, notes, patterns, #tags.',
    expects: 'a list of folders, notes, patterns or #tags',
  },
  model: { about: 'The model that answers in it.', expects: 'a model as provider/model, or offline' },
  mode: { about: 'How turns are run in it.', expects: modes.join(', ') },
  consent: { about: 'How much you are asked in it.', expects: consentLevels.join(', ') },
  tools: { about: 'The tools that are on in it.', expects: 'a list of tool names' },
  guidance: { about: 'What a model is told there about single tools.', expects: 'tool names with a text each' },
  instructions: { about: 'Your words to the model in it.', expects: 'a text' },
}
