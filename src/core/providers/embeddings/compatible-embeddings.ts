import type { Connection } from '../provider.js'

/** As OpenAI serves them, and nearly everyone after it. */
export async function compatibleEmbeddings(name: string, { baseUrl, key, fetch }: Connection) {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  const open = createOpenAICompatible({
    name,
    baseURL: baseUrl,
    fetch: fetch as never,
    ...(key && { apiKey: key.reveal() }),
  })
  return (modelId: string) => open.embeddingModel(modelId)
}
