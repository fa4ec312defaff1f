// The context size of a model: from its server, the user or its profile.

import { linkedAbort, type Profile } from '../model/index.js'
import { type Advice, bearer, type ModelWindow, type Provider, type ProviderConnection } from './provider.js'

interface WindowQuestion {
  provider: Provider
  modelId: string
  connection: ProviderConnection
  profile: Profile
  /** The size the user has set. */
  wanted?: number | undefined
  advice: Advice
}

/** Size for a server that does not report one: about the capacity of a laptop. */
export const defaultWindow = 8192

/**
 * Returns a function that finds the model's context size on first use. The server's value wins, unless the user wants
 * less; then the user's, then the profile's.
 */
export function modelWindow(question: WindowQuestion): () => Promise<ModelWindow> {
  let known: Promise<ModelWindow> | undefined
  return () => {
    known ??= findWindow(question).then(({ isProvisional, ...window }) => {
      if (isProvisional) known = undefined
      return window
    })
    return known
  }
}

async function findWindow(question: WindowQuestion): Promise<ModelWindow & { isProvisional?: true }> {
  const { provider, modelId, connection, profile, wanted, advice } = question
  const name = `${provider.id}/${modelId}`
  const howToSet = advice.setting(`models.${name}.window`, '{tokens}')
  // A server that does not answer this may still serve requests, which report errors.
  const reported = await provider.window?.(modelId, connection, wanted).catch(() => undefined)
  if (reported !== undefined && reported.tokens > 0) {
    const tokens = Math.min(reported.tokens, wanted ?? reported.tokens)
    const isBelowServer = tokens < reported.tokens
    const hint =
      (isBelowServer ? undefined : provider.windowHint?.(modelId)) ?? `To use a larger context window: ${howToSet}`
    return { ...reported, tokens, from: 'server', hint }
  }
  const hint = `If the context window is larger, set it: ${howToSet}`
  if (wanted !== undefined) return { tokens: wanted, from: 'setting', hint }
  if (profile.window !== undefined) return { tokens: profile.window, from: 'profile', hint }
  return { tokens: defaultWindow, from: 'unknown', hint }
}

/** The longest wait for a number that has a fallback. */
const limitMs = 3000

/** Queries a server about itself. Undefined if it does not answer with JSON in time. */
export async function queryServer(
  { fetch, key }: Pick<ProviderConnection, 'fetch' | 'key'>,
  url: string,
  question?: Record<string, unknown>,
): Promise<unknown> {
  const stop = linkedAbort(undefined)
  const timer = setTimeout(() => stop.abort(new Error('The request timed out.')), limitMs)
  try {
    const response = await fetch(url, {
      method: question === undefined ? 'GET' : 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json', ...bearer(key?.reveal()) },
      ...(question && { body: JSON.stringify(question) }),
      signal: stop.signal,
    })
    const text = await response.text()
    return response.ok ? JSON.parse(text) : undefined
  } catch {
    // Unreachable, too slow or not JSON: the size has a fallback.
    return undefined
  } finally {
    clearTimeout(timer)
    stop.release()
  }
}

/** The server's root, for endpoints beside the OpenAI-compatible API. */
export function serverRoot(baseUrl: string): string {
  return baseUrl.replace(/\/v1$/, '')
}

type Entry = Record<string, unknown>

/** The entry of a model in `{data: [{id, …}]}`. */
export function findModelEntry(body: unknown, modelId: string): Entry | undefined {
  const data = (body as { data?: unknown } | null | undefined)?.data
  return Array.isArray(data) ? (data as Entry[]).find((entry) => entry?.id === modelId) : undefined
}

export function tokenCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.floor(value) : undefined
}
