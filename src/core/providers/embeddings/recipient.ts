import { Failure } from '../../errors.js'
import { isLoopback } from '../base-url.js'
import { requireAddress } from '../connect.js'
import { findProvider, splitModelName } from '../find-provider.js'
import { type EmbeddingProvider, type Environment, servesEmbeddings } from '../provider.js'
import { providers } from '../table/index.js'

/** Who would be sent the passages of notes. */
export interface Recipient {
  provider: EmbeddingProvider
  modelId: string
  /** `openai/text-embedding-3-small`. */
  model: string
  baseUrl: string
  /** `api.openai.com`: what a person agrees to. */
  host: string
  /** On this machine: nothing leaves it. */
  isHere: boolean
}

/** Throws when the name is not one of a model, or when its provider makes no embeddings. */
export function embeddingModel(name: string): { provider: EmbeddingProvider; modelId: string } {
  const { provider: id, modelId } = splitModelName(name)
  const provider = findProvider(id)
  if (!servesEmbeddings(provider)) {
    const others = providers.filter(servesEmbeddings).map((other) => other.id)
    throw new Failure('invalid-input', `${provider.name} makes no embeddings.`, {
      hint: `Set embeddings.model to a model of ${others.join(', ')}, like ollama/nomic-embed-text.`,
    })
  }
  return { provider, modelId }
}

/** Throws also when its address is missing. Connects to nothing. */
export function recipientOf(name: string, environment: Environment): Recipient {
  const { provider, modelId } = embeddingModel(name)
  const baseUrl = requireAddress(provider, environment)
  const { host } = new URL(baseUrl)
  return {
    provider,
    modelId,
    model: `${provider.id}/${modelId}`,
    baseUrl,
    host,
    isHere: isLoopback(baseUrl) && !isForwarded(modelId),
  }
}

/** Ollama hands models of its cloud on, wherever it runs itself. */
const isForwarded = (modelId: string): boolean => /[-:]cloud$/.test(modelId)
