import { withDialect } from '../../src/core/dialects/index.js'
import { defaultProfile, type LanguageModelV3, modelFailure } from '../../src/core/model/index.js'
import { type ScriptedStep, scriptedModel } from '../doubles/scripted-model.js'
import { inDialect, type TriedDialect } from './in-dialect.js'
import { type Played, playScenario, type Stage } from './play.js'
import type { Scenario } from './scenarios.js'

const stalled = modelFailure('stalled', { provider: 'Scripted', modelId: 'm' }, 'Scripted stopped sending.')

/** Plays a scenario with a model that writes its calls so, in pieces or at once. */
export async function playInDialect(
  scenario: Scenario,
  dialect: TriedDialect,
  stream = true,
  stage: Stage = {},
): Promise<Played> {
  const open = async (steps: readonly ScriptedStep[], onSilence: () => void) => {
    const script = steps.map((step) => {
      if (!('stall' in step)) return inDialect(step, dialect)
      return (): ScriptedStep => {
        onSilence()
        return scenario.stops ? step : { fail: stalled }
      }
    })
    const model = withDialect(scriptedModel(script), { dialect, profile: defaultProfile })
    return stream ? model : inOnePiece(model)
  }
  return playScenario(scenario, open, undefined, stage)
}

/** A model that never streams: what it says comes at the end. */
function inOnePiece(model: LanguageModelV3): LanguageModelV3 {
  return {
    ...model,
    async doStream(options) {
      const { content, finishReason, usage } = await model.doGenerate(options)
      return {
        stream: new ReadableStream({
          start(controller) {
            for (const [at, piece] of content.entries()) {
              if (piece.type !== 'text' && piece.type !== 'reasoning') {
                controller.enqueue(piece)
                continue
              }
              controller.enqueue({ type: `${piece.type}-start`, id: `${at}` })
              controller.enqueue({ type: `${piece.type}-delta`, id: `${at}`, delta: piece.text })
              controller.enqueue({ type: `${piece.type}-end`, id: `${at}` })
            }
            controller.enqueue({ type: 'finish', finishReason, usage })
            controller.close()
          },
        }),
      }
    },
  }
}
