import {
  type Approve,
  askEach,
  type ConsentLevel,
  filterVisible,
  parseRules,
  ruleVocabulary,
} from '../approval/index.js'
import { Failure } from '../errors.js'
import type { SearchAnswer, SearchRequest } from '../index/index.js'
import type { LinkedAbort } from '../model/index.js'
import type { NotePath } from '../vault/index.js'
import { askForAnswer, type PendingAnswer, pendingAnswer } from './answer.js'
import type { OpenedVault, VaultHost } from './opened-vault.js'
import type { Request, SessionOptions } from './session.js'
import type { ChangeSummary } from './turn-report.js'

/** The calls that most programs need. Every opened vault has them. */
export interface VaultCalls {
  /**
   * Asks a question, or for a change. Await it for the answer, or read its events with `for await`. By default nothing
   * is stored, and nothing can be changed: pass `approve` to decide about changes.
   */
  ask(question: string, options?: AskOptions): PendingAnswer
  /** Starts a conversation, in which each question builds on those before it. */
  session(options?: ConversationOptions): Promise<Conversation>
  /** Finds notes by words and by meaning, best first. Changed notes are indexed first. */
  search(query: string, options?: SearchOptions): Promise<SearchAnswer>
  /** Reads a note, by its path, name or alias. Fails with `not-found` or `ambiguous`. */
  read(note: string): Promise<Note>
  /** Reverts a change set. Later edits of the notes are kept; fails with `conflict` if they changed the same lines. */
  undo(id: string): Promise<ChangeSummary>
}

/** Options of a conversation. Omitted ones use the settings. */
export interface ConversationOptions
  extends Pick<
    SessionOptions,
    | 'model'
    | 'mode'
    | 'allow'
    | 'deny'
    | 'scope'
    | 'project'
    | 'tools'
    | 'instructions'
    | 'history'
    | 'maxSteps'
    | 'minutes'
    | 'window'
    | 'temperature'
    | 'thinking'
    | 'replies'
    | 'dryRun'
    | 'onTrouble'
  > {
  /** Stores the conversation under this id, or continues the stored one. Without it, nothing is stored. */
  id?: string | undefined
  /**
   * Decides about each call that needs approval: changes, and requests to the network. Return true to allow it once.
   * If it throws, the call is denied, and the turn fails with that error.
   */
  approve?: Approve | undefined
  /**
   * Approval level. Default: `read-only` if nobody can approve, otherwise the level of the settings, but at least `ask`.
   */
  consent?: ConsentLevel | undefined
}

/** Options of one question. */
export interface QuestionOptions extends Pick<Request, 'note' | 'selection' | 'attached' | 'files'> {
  /** Stops the turn. The call then throws the signal's reason. */
  signal?: AbortSignal | undefined
}

/** Options of a question outside a conversation. */
export interface AskOptions extends ConversationOptions, QuestionOptions {}

/** A conversation with a vault. It answers one question at a time. */
export interface Conversation {
  /** The name under which it is stored, if it is. */
  readonly id: string
  /** Asks the next question. Await it for the answer, or read its events with `for await`. */
  ask(question: string, options?: QuestionOptions): PendingAnswer
  /** Stops running work. Closing the vault closes its conversations too. */
  close(): Promise<void>
}

/** Options of a search. Omitted ones use the settings. */
export interface SearchOptions extends Omit<SearchRequest, 'query' | 'among'> {
  /** Stops reading changed notes. */
  signal?: AbortSignal | undefined
}

/** A note. */
export interface Note {
  /** Its path in the vault. */
  path: NotePath
  /** The `title` property, the only top-level heading if the note begins with it, or the file name. */
  title: string
  /** The whole text, with its properties. */
  text: string
  /** Without `#`, as first written. */
  tags: string[]
  /** Other names, from its properties. */
  aliases: string[]
  /** The values of its frontmatter. */
  properties: Record<string, unknown>
}

/** The parts of an opened vault that the calls use. */
type CalledVault = Pick<OpenedVault, 'openSession' | 'registry' | 'settings' | 'approvalQueue'>

export function vaultCalls(vault: CalledVault, host: VaultHost): VaultCalls {
  /** The notes that no rule denies. Rules that ask first are about models, and hide nothing here. */
  async function readable() {
    const { deny: denied } = await host.vaultRules(() => {})
    const lists = [
      { from: 'config', deny: vault.settings.permissions.deny },
      { from: 'vault', deny: denied },
    ]
    return filterVisible(host.notebook, parseRules(lists, ruleVocabulary(vault.registry)))
  }

  return {
    ask(question, options = {}) {
      const { note, selection, attached, files, signal, ...rest } = options
      return pendingAnswer(signal, async function* (stop) {
        stop.signal.throwIfAborted()
        const { turn, close } = await conversation(vault, rest)
        try {
          return yield* turn({ text: question, note, selection, attached, files }, stop)
        } finally {
          await close()
        }
      })
    },
    async session(options = {}) {
      const { id, turn, close } = await conversation(vault, options)
      return {
        id,
        ask: (text, { signal, ...about } = {}) => pendingAnswer(signal, (stop) => turn({ text, ...about }, stop)),
        close,
      }
    },
    async search(query, { signal, ...options } = {}) {
      const { limit, rank } = vault.settings.search
      await host.notebook.update({ signal, wait: 'text' })
      const { index } = await readable()
      return index.search({ ...options, query, limit: options.limit ?? limit, rank: options.rank ?? rank })
    },
    async read(wanted) {
      const { vault: notes, index } = await readable()
      const { path, title, tags, aliases, properties } = await index.find(wanted)
      const file = await notes.read(path)
      if (file === undefined) throw new Failure('not-found', `Note not found: ${path}`)
      return { path, title, text: file.text, tags, aliases, properties: properties ?? {} }
    },
    async undo(id) {
      const { notebook } = host
      const { id: applied, title, changes } = await notebook.apply(await notebook.planUndo({ id }))
      const paths = changes.map((change) => change.to ?? change.path)
      return { id: applied, title, paths: [...new Set(paths)] }
    },
  }
}

/** Opens a session whose turns end with an answer. */
async function conversation(vault: CalledVault, { approve, consent, id, ...options }: ConversationOptions) {
  const turns = new Set<LinkedAbort>()
  const askPerson =
    approve &&
    askEach(async (request, signal) => {
      try {
        return await approve(request, signal)
      } catch (error) {
        // The approval queue counts an error as denied; the caller gets it too.
        for (const stop of turns) stop.abort(error)
        throw error
      }
    })
  const session = await vault.openSession({
    ...options,
    id,
    keep: id !== undefined,
    autoTitle: false,
    askPerson,
    consent: consent ?? defaultLevel(vault, approve !== undefined),
  })

  async function* turn(request: Request, stop: LinkedAbort) {
    turns.add(stop)
    try {
      return yield* askForAnswer(session, request, stop)
    } finally {
      turns.delete(stop)
    }
  }

  return { id: session.id, turn, close: () => session.close() }
}

/** Nothing is changed that nobody has approved, even if the settings allow it in a chat. */
function defaultLevel({ approvalQueue, settings }: CalledVault, canApprove: boolean): ConsentLevel {
  if (!canApprove && !approvalQueue.canAsk) return 'read-only'
  return settings.consent === 'edit' || settings.consent === 'auto' ? 'ask' : settings.consent
}
