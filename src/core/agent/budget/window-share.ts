/** How many tokens fit into a model, and what a person can do when that is not enough. */
export interface Window {
  tokens: number
  hint?: string
}

/** Below this, a model gets fewer tools and shorter prompts. */
const tightBelow = 16_000

export const isTight = (window: Window | undefined): boolean => window !== undefined && window.tokens < tightBelow

/** What is left of the window when the answer has its room. */
export function requestRoom({ tokens }: Window): number {
  return tokens - Math.min(8192, Math.max(512, Math.floor(tokens / 4)))
}

/** About what stands before the conversation. */
const beforeConversation = 1200

/** What one result may take: the same all the time, so that the parts in which a note is read fit together. */
export function resultRoom(window: Window): number {
  return Math.max(300, Math.floor((requestRoom(window) - beforeConversation) * 0.35))
}
