import { modelFailureData, wait } from '../../model/index.js'

export interface Retrying {
  tries: number
  firstWaitMs: number
  longestWaitMs: number
}

/** It works behind, where nobody waits for it: a provider that asks to slow down is given the time it asks for. */
const usual: Retrying = { tries: 6, firstWaitMs: 1000, longestWaitMs: 120_000 }

/** Tries again what another try may help, after as long as the provider says, or ever longer where it does not. */
export async function patiently<T>(
  act: () => Promise<T>,
  signal: AbortSignal,
  { tries, firstWaitMs, longestWaitMs }: Retrying = usual,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await act()
    } catch (error) {
      const data = modelFailureData(error)
      const asked = data?.retryAfterMs
      if (!data?.retryable || attempt >= tries || (asked ?? 0) > longestWaitMs) throw error
      // Many clients told to come back together should not.
      const backOff = firstWaitMs * 2 ** (attempt - 1) * (0.75 + Math.random() / 2)
      await wait(asked ?? Math.min(longestWaitMs, backOff), signal)
    }
  }
}
