import type { Profile } from '../../model/index.js'
import type { Advice } from '../advice.js'
import type { Connection, Provider } from '../provider.js'

/** How many tokens a conversation and its answer have room for, and who says so. */
export interface ModelWindow {
  tokens: number
  from: 'server' | 'setting' | 'profile' | 'unknown'
  /** What to set when more is needed; `{tokens}` stands for how many. */
  hint: string
}

/** What a server says of a model it serves. */
export interface ToldWindow {
  tokens: number
  /** The model is not loaded yet, so that it may turn out otherwise: the next turn asks again. */
  isProvisional?: true
}

export interface WindowQuestion {
  provider: Provider
  modelId: string
  connection: Connection
  profile: Profile
  /** What the person says it is. */
  wanted?: number
  advice: Advice
}

/** A server that says nothing is asked for no more than this: what a laptop can hold. */
export const usualWindow = 8192

/**
 * The window of a model, asked for when it is first needed. The server's word counts, but for what the person wants less
 * of; then the person's, then what is known of the family.
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
  // A server that does not answer this may still answer questions: what is wrong is told there.
  const name = `${provider.id}/${modelId}`
  const say = advice.setting(`models.${name}.window`, '{tokens}')
  const told = await provider.window?.(modelId, connection, wanted).catch(() => undefined)
  if (told !== undefined && told.tokens > 0) {
    const tokens = Math.min(told.tokens, wanted ?? told.tokens)
    // The server would give more than the person wants it to.
    const isHeldBack = tokens < told.tokens
    const hint = (isHeldBack ? undefined : provider.windowHint?.(modelId)) ?? `Give it more room: ${say}`
    return { ...told, tokens, from: 'server', hint }
  }
  const hint = `If more fits into it, say so: ${say}`
  if (wanted !== undefined) return { tokens: wanted, from: 'setting', hint }
  if (profile.window !== undefined) return { tokens: profile.window, from: 'profile', hint }
  return { tokens: usualWindow, from: 'unknown', hint }
}
