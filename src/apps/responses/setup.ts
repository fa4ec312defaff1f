import type { LanguageModelV3, Profile } from '../../core/model/index.js'
import type { Session, SessionOptions } from '../../core/session/index.js'
import type { Sealing } from './seal.js'
import type { ReplyStore } from './store/reply-store.js'

/** A model that answers clients: its replies call tools natively, whatever it does underneath. */
export interface Backend {
  /** As people name it: `ollama/qwen3:8b`. */
  name: string
  model: LanguageModelV3
  profile: Profile
  /** How much fits, and who says so. Absent: there is no limit that anyone knows of. */
  window?(): Promise<Window>
}

/** How many tokens a conversation and its answer have room for. A guess leaves nothing out. */
export interface Window {
  tokens: number
  from: 'server' | 'setting' | 'profile' | 'unknown'
}

/** The vault as clients may use it: nobody is asked, so what no rule allows is refused. */
export interface ServedVault {
  /** Of the folder. */
  name: string
  openSession(options: SessionOptions): Promise<Session>
}

export interface EndpointSetup {
  /** The backend that is listed; others that can be opened are served by their name too. */
  backend?: string
  /** Fails when there is no model of that name, no key or no address. */
  openBackend(name: string): Promise<Backend>
  /** The vault that is served as a model. */
  vault?: ServedVault
  store: ReplyStore
  sealed: Sealing
}
