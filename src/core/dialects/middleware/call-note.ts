import type { SharedV3ProviderMetadata } from '../../model/index.js'

/** What we note on a part, under our own name, for the steps behind us and for the next request. */
interface CallNote {
  /** Why this call cannot run. */
  error?: string
  /** Text that turned out to be reasoning after it was shown. */
  wasReasoning?: boolean
}

type Noted = { providerMetadata: SharedV3ProviderMetadata }

export const noteOn = (note: CallNote): Noted => ({ providerMetadata: { notewright: { ...note } } })

export function noteOf(options: Record<string, Record<string, unknown>> | undefined): CallNote {
  return options?.notewright ?? {}
}
