import { badField } from '../../server/index.js'
import type { Asked } from './asked.js'
import type { Fields } from './fields.js'

/** How freely the model chooses its words: the same names in both APIs. */
export function samplingFields(
  fields: Fields,
): Pick<Asked, 'temperature' | 'topP' | 'presencePenalty' | 'frequencyPenalty'> {
  return {
    temperature: fields.number('temperature', 0, 2) ?? null,
    topP: fields.number('top_p', 0, 1) ?? null,
    presencePenalty: fields.number('presence_penalty', -2, 2) ?? null,
    frequencyPenalty: fields.number('frequency_penalty', -2, 2) ?? null,
  }
}

/** Names and numbers that a response repeats and nothing else depends on. */
export function labelFields(fields: Fields): Pick<Asked, 'metadata' | 'safetyIdentifier' | 'promptCacheKey'> {
  return {
    metadata: metadataOf(fields),
    safetyIdentifier: fields.text('safety_identifier') ?? null,
    promptCacheKey: fields.text('prompt_cache_key') ?? null,
  }
}

function metadataOf(fields: Fields): Record<string, string> {
  const given = fields.fields('metadata')
  if (given === undefined) return {}
  const names = given.names()
  if (names.length > 16) throw badField('metadata', 'metadata has at most 16 keys.')
  return Object.fromEntries(
    names.map((name) => {
      const text = given.text(name) ?? ''
      if (name.length > 64 || text.length > 512) {
        throw badField(given.at(name), 'A key of metadata has at most 64 characters, a value 512.')
      }
      return [name, text]
    }),
  )
}

export function refuseTier(fields: Fields): void {
  const tier = fields.text('service_tier')
  if (tier === undefined || tier === 'auto' || tier === 'default') return
  throw badField('service_tier', 'There is only the default service tier here.', 'unsupported_parameter')
}
