import type { ModelContext } from '../../../core/model/index.js'

/** Who failed, in the words of every message about Codex. */
export function codexContext(modelId: string): ModelContext {
  return {
    provider: 'Codex',
    modelId,
    keyHint: 'Sign in with: codex login',
    unreachableHint: 'Is this machine online? codex login status tells whether Codex is signed in.',
    modelHint: 'Codex lists its models with /model in its own terminal. Without a name, -m codex takes its usual one.',
  }
}
