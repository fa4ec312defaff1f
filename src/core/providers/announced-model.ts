import type { LanguageModelV3, LanguageModelV3CallOptions } from '../model/index.js'
import { type OutgoingRequest, outgoing } from './announced-fetch.js'

/**
 * A model behind a program of the person's own, which tells of every request before it is handed over. What the program
 * makes of it, it does not tell.
 */
export function announcedModel(
  model: LanguageModelV3,
  about: Pick<OutgoingRequest, 'provider' | 'model' | 'destination'>,
  tell: (request: OutgoingRequest) => Promise<void>,
): LanguageModelV3 {
  const announce = async ({ prompt, tools }: LanguageModelV3CallOptions) =>
    tell(await outgoing(JSON.stringify({ prompt, tools }), about))
  return {
    ...model,
    async doGenerate(given) {
      await announce(given)
      return model.doGenerate(given)
    },
    async doStream(given) {
      await announce(given)
      return model.doStream(given)
    },
  }
}
