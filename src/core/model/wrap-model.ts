import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3Middleware } from './sdk.js'

/** The SDK's `wrapLanguageModel` for one middleware, without loading the SDK. */
export function wrapModel(model: LanguageModelV3, middleware: LanguageModelV3Middleware): LanguageModelV3 {
  const transformed = (type: 'generate' | 'stream', params: LanguageModelV3CallOptions) =>
    middleware.transformParams?.({ type, params, model }) ?? Promise.resolve(params)
  return {
    specificationVersion: 'v3',
    provider: middleware.overrideProvider?.({ model }) ?? model.provider,
    modelId: middleware.overrideModelId?.({ model }) ?? model.modelId,
    supportedUrls: middleware.overrideSupportedUrls?.({ model }) ?? model.supportedUrls,
    async doGenerate(given) {
      const params = await transformed('generate', given)
      const doGenerate = async () => model.doGenerate(params)
      const doStream = async () => model.doStream(params)
      return middleware.wrapGenerate ? middleware.wrapGenerate({ doGenerate, doStream, params, model }) : doGenerate()
    },
    async doStream(given) {
      const params = await transformed('stream', given)
      const doGenerate = async () => model.doGenerate(params)
      const doStream = async () => model.doStream(params)
      return middleware.wrapStream ? middleware.wrapStream({ doGenerate, doStream, params, model }) : doStream()
    },
  }
}
