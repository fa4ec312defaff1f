import type { LanguageModelV3, Profile } from '../../core/model/index.js'
import type { Sealing } from './seal.js'
import type { ReplyStore } from './store/reply-store.js'

/** A model that answers clients: its replies call tools natively, whatever it does underneath. */
export interface Backend {
  /** As people name it: `ollama/qwen3:8b`. */
  name: string
  model: LanguageModelV3
  profile: Profile
}

export interface EndpointSetup {
  /** The backend that is listed; others that can be opened are served by their name too. */
  backend?: string
  /** Fails when there is no model of that name, no key or no address. */
  openBackend(name: string): Promise<Backend>
  store: ReplyStore
  sealed: Sealing
}
