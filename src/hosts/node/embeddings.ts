import { isWithheldBy, parseRules, ruleVocabulary } from '../../core/approval/index.js'
import type { Config } from '../../core/config/index.js'
import { Failure } from '../../core/errors.js'
import type { NotebookEmbeddings } from '../../core/index/index.js'
import { openEmbedder, type Recipient, recipientOf } from '../../core/providers/index.js'
import { builtInTools, redactor, registry } from '../../core/tools/index.js'
import { callLog } from './call-log.js'
import { keyStore } from './keys.js'
import { vaultRules } from './permissions.js'
import { usingDatabase, vaultState } from './state-database.js'
import type { HostEnvironment, StateFolders } from './state-folders.js'

/** The model the user has chosen for embeddings, and whether they agreed to send notes to it. */
export interface FolderEmbeddings {
  /** As written in the settings. */
  readonly model: string
  /** Absent if the settings name no usable provider; `trouble` says why. */
  readonly recipient?: Recipient
  readonly trouble?: Failure
  consent(): Promise<Consent>
  remember(answer: 'agreed' | 'refused'): Promise<void>
  /** The embedder for the notebook. */
  readonly source?: NotebookEmbeddings
}

export interface EmbeddingsOptions {
  root: string
  /** The vault's state folder. */
  stateDir: string
  folders: StateFolders
  surroundings: Pick<HostEnvironment, 'environment'>
  config: { embeddings: Config['embeddings']; permissions?: Config['permissions'] | undefined }
}

export function folderEmbeddings(model: string, place: EmbeddingsOptions): FolderEmbeddings {
  const { environment } = place.surroundings
  const asked = storedConsent(place.stateDir)
  const found = recipientIn(model, environment)
  if (found instanceof Failure) {
    return { model, trouble: found, consent: async () => 'unasked', remember: async () => {} }
  }
  const consent = async (): Promise<Consent> =>
    place.config.embeddings.sendTo === found.host ? 'agreed' : asked.recall(found)
  const embedder = openEmbedder(found, {
    environment,
    fetch,
    keys: (provider) => keyStore({ environment, state: place.folders.state, vault: place.root }).keys(provider),
    mayBeSent: async () => (await consent()) === 'agreed',
    async onRequest({ body: _, ...request }, notes) {
      const state = vaultState(place.stateDir)
      const log = callLog({ state, redact: redactor() })
      await log.sending({ time: new Date().toISOString(), ...request, notes }).finally(state.close)
    },
  })
  return {
    model,
    recipient: found,
    consent,
    remember: (answer) => asked.remember(found, answer),
    source: { embedder, withheld: () => withheldNotesOf(place) },
  }
}

function recipientIn(model: string, environment: HostEnvironment['environment']): Recipient | Failure {
  try {
    return recipientOf(model, environment)
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}

/** Notes that a rule denies or asks for are not sent. If the rules cannot be read, nothing is sent. */
async function withheldNotesOf({ root, config }: EmbeddingsOptions) {
  const { deny = [], ask = [] } = config.permissions ?? {}
  const lists = [{ from: 'config', deny, ask }, await vaultRules({ root })]
  return isWithheldBy(parseRules(lists, ruleVocabulary(registry(builtInTools))))
}

/** The user's answer to sending the notes of this vault to this model at this host. */
export type Consent = 'agreed' | 'refused' | 'unasked'

export interface StoredConsent {
  recall(recipient: Recipient): Promise<Consent>
  remember(recipient: Recipient, answer: 'agreed' | 'refused'): Promise<void>
}

/** The user's answers, in the state of the vault. */
export function storedConsent(stateDir: string): StoredConsent {
  const state = vaultState(stateDir)
  return {
    async recall(recipient) {
      const [answer] =
        usingDatabase(state, () =>
          state.look((driver) =>
            driver.first('SELECT answer FROM embedding_consent WHERE recipient = ?', [recipientName(recipient)]),
          ),
        ) ?? []
      return answer === 'agreed' || answer === 'refused' ? answer : 'unasked'
    },
    async remember(recipient, answer) {
      usingDatabase(state, () =>
        state.change((driver) =>
          driver.run('INSERT OR REPLACE INTO embedding_consent (recipient, answer) VALUES (?, ?)', [
            recipientName(recipient),
            answer,
          ]),
        ),
      )
    },
  }
}

const recipientName = ({ model, host }: Recipient): string => `${model} at ${host}`
