import { parseRules, ruleVocabulary, withheldNotes } from '../../../core/approval/index.js'
import type { Config } from '../../../core/config/index.js'
import { Failure } from '../../../core/errors.js'
import type { NotebookEmbeddings } from '../../../core/notebook/index.js'
import { openEmbedder, type Recipient, recipientOf } from '../../../core/providers/index.js'
import { builtInTools, redactor, registry } from '../../../core/tools/index.js'
import { callsFolder, fileLog } from '../call-log/index.js'
import { keyStore } from '../keys/index.js'
import { vaultRules } from '../permissions/index.js'
import type { StateFolders, Surroundings } from '../state/index.js'
import { type Consent, consentFile } from './consent-file.js'

/** The model the person has chosen for embeddings, and whether they agree to what it is sent. */
export interface FolderEmbeddings {
  /** As it is written in the settings. */
  readonly model: string
  /** Absent where the settings name nobody who could be asked; `trouble` says why. */
  readonly recipient?: Recipient
  readonly trouble?: Failure
  consent(): Promise<Consent>
  remember(answer: 'agreed' | 'refused'): Promise<void>
  /** What the notebook works with. */
  readonly source?: NotebookEmbeddings
}

export interface EmbeddingsPlace {
  root: string
  /** The vault's state folder. */
  stateDir: string
  folders: StateFolders
  surroundings: Pick<Surroundings, 'environment'>
  config: { embeddings: Config['embeddings']; permissions?: Config['permissions'] }
}

export function folderEmbeddings(model: string, place: EmbeddingsPlace): FolderEmbeddings {
  const { environment } = place.surroundings
  const asked = consentFile(place.stateDir)
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
      const log = fileLog({ folder: callsFolder(place.stateDir), redact: redactor() })
      await log.sending({ time: new Date().toISOString(), ...request, notes })
    },
  })
  return {
    model,
    recipient: found,
    consent,
    remember: (answer) => asked.remember(found, answer),
    source: { embedder, withheld: () => withheld(place) },
  }
}

function recipientIn(model: string, environment: Surroundings['environment']): Recipient | Failure {
  try {
    return recipientOf(model, environment)
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}

/** What a rule denies a model to read, or asks for, is not sent to one. Rules that cannot be read keep everything here. */
async function withheld({ root, config }: EmbeddingsPlace) {
  const { deny = [], ask = [] } = config.permissions ?? {}
  const lists = [{ from: 'config', deny, ask }, await vaultRules({ root })]
  return withheldNotes(parseRules(lists, ruleVocabulary(registry(builtInTools))))
}
