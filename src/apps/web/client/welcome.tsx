import { useEffect, useId, useState } from 'preact/hooks'
import { count, visibleText } from '../../../core/text/index.js'
import { DrawnIcon, FailureBox, freshnessWords, isLocalProvider, type ShownProvider } from '../../../ui/index.js'
import { failureOf, postJson } from './ask-server.js'
import type { IndexingProgress, Overview } from './overview.js'
import { useLoaded } from './use-loaded.js'

const lookEveryMs = 500

interface WelcomeProps {
  overview: Overview
  model: string
  onModel(model: string): void
  onAsk(text: string): void
  onSettings(): void
  /** Asks how far the index is. */
  onLook(): void
}

/** Shown before the first question: where questions are sent, what to ask, and how to connect a model. */
export function Welcome({ overview, model, onModel, onAsk, onSettings, onLook }: WelcomeProps) {
  const { vault, notes, freshness, progress, recovery, consent } = overview
  const { answer, look } = useLoaded<{ questions: string[] }>('questions')
  const isReading = progress !== undefined || notes === 0 || freshness !== 'fresh'
  useEffect(() => {
    if (!isReading) return
    const timer = setInterval(onLook, lookEveryMs)
    return () => clearInterval(timer)
  }, [isReading])
  // Suggested questions are available once the notes are indexed.
  useEffect(() => void look(), [isReading])
  return (
    <div class="page-welcome">
      <h2>Ask your notes</h2>
      {recovery !== undefined && (
        <p class="nw-notice" role="status">
          {visibleText(recovery).text}
        </p>
      )}
      <p class="page-welcome-line">
        {model === 'offline'
          ? 'No model yet, so answers are quotes from your notes.'
          : `Your questions and the notes it reads are sent to ${visibleText(model).text}.`}
        {asksFirst.has(consent) && ' I ask before changing anything, and you can undo it.'}
      </p>
      <p class="nw-facts-line">
        {visibleText(vault).text} · {notesWords(overview)}
        {notes > 0 && freshness !== 'fresh' && ` ${freshnessWords(freshness)} You can already ask.`}
      </p>
      {progress && <IndexProgressBar progress={progress} />}
      {answer && answer.questions.length > 0 && (
        <ul class="page-asks" aria-label="Try asking">
          {answer.questions.map((question) => (
            <li key={question}>
              <button type="button" class="page-ask" onClick={() => onAsk(question)}>
                <DrawnIcon name="search" />
                <span class="nw-grow">{visibleText(question).text}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {model === 'offline' && <ConnectModel onModel={onModel} onSettings={onSettings} />}
    </div>
  )
}

/** Levels at which a change waits for the user. */
const asksFirst: ReadonlySet<string> = new Set(['ask', 'ask-all'])

interface ProviderAnswer extends Omit<ShownProvider, 'isLocal'> {
  provider: string
}

const localProviders = ['ollama', 'lmstudio']
const mostProviders = 3

/** Models that can be used now, then the shortest way to one. */
function ConnectModel({ onModel, onSettings }: Pick<WelcomeProps, 'onModel' | 'onSettings'>) {
  const { answer } = useLoaded<{ providers: ProviderAnswer[] }>('providers')
  const [trouble, setTrouble] = useState<unknown>()
  const [refreshed, setRefreshed] = useState<Record<string, ProviderAnswer>>({})
  if (answer === undefined) return null
  // Only this one is asked again.
  async function refresh(id: string): Promise<void> {
    try {
      const row = await postJson<ProviderAnswer>(`providers/${id}/test`)
      setRefreshed((known) => ({ ...known, [id]: row }))
      setTrouble(undefined)
    } catch (error) {
      setTrouble(error)
    }
  }
  const rows = answer.providers
    .map((row) => refreshed[row.provider] ?? row)
    .map((row) => ({ ...row, isLocal: localProviders.includes(row.provider) }))
    .filter(({ isLocal, configured, address }) => isLocal || configured || address !== undefined)
    .map((row) => ({ ...row, rank: rankOf(row) }))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, mostProviders)
  return (
    <section class="page-connect" aria-label="Connect a model">
      <header>
        <h3 class="nw-grow">Connect a model</h3>
        <button type="button" class="nw-link" onClick={onSettings}>
          All providers
        </button>
      </header>
      {trouble !== undefined && <FailureBox failure={failureOf(trouble)} />}
      <ul class="nw-rows">
        {rows.map((row, at) => (
          <li key={row.provider} class="nw-row-line">
            <span class="nw-tile" aria-hidden="true">
              {row.name.slice(0, 2)}
            </span>
            <span class="nw-grow">
              <strong>{row.name}</strong>
              <span class="nw-facts-line">{providerText(row)}</span>
            </span>
            <ConnectButton row={row} isFirst={at === 0} {...{ onModel, onSettings, refresh }} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function rankOf(row: ShownProvider): number {
  if (row.running && row.models && row.models.length > 0) return 0
  if (row.key !== undefined) return 1
  return isLocalProvider(row) ? 2 : 3
}

function providerText(row: ShownProvider): string {
  const { running, models = [], key } = row
  if (isLocalProvider(row)) {
    if (!running) return 'Not running on this computer'
    return `Running on this computer, ${count(models.length, 'model')}`
  }
  if (key?.source === 'environment') return `Key found in ${visibleText(key.where ?? '').text}`
  return key === undefined ? 'Needs a key' : 'Key stored'
}

function ConnectButton({
  row,
  isFirst,
  onModel,
  onSettings,
  refresh,
}: { row: ShownProvider & ProviderAnswer; isFirst: boolean; refresh(id: string): Promise<void> } & Pick<
  WelcomeProps,
  'onModel' | 'onSettings'
>) {
  const { provider, name, running, models: [model] = [], key } = row
  const [isBusy, setBusy] = useState(false)
  if (model !== undefined) {
    return (
      <button type="button" class={isFirst ? 'nw-btn-main' : ''} onClick={() => onModel(model)}>
        Use {visibleText(model.slice(model.indexOf('/') + 1)).text}
      </button>
    )
  }
  if (isLocalProvider(row) && !running) {
    return (
      <button
        type="button"
        aria-label={`Refresh ${name}`}
        disabled={isBusy}
        onClick={() => {
          setBusy(true)
          void refresh(provider).finally(() => setBusy(false))
        }}
      >
        Refresh
      </button>
    )
  }
  return (
    <button type="button" aria-label={`${key ? 'Choose a model' : 'Add key'}: ${name}`} onClick={onSettings}>
      {key ? 'Choose a model' : 'Add key'}
    </button>
  )
}

function notesWords({ notes, freshness, progress }: Overview): string {
  if (notes > 0) return `${count(notes, 'note')}.`
  const isEmpty = freshness === 'fresh' && progress === undefined
  return isEmpty
    ? 'No notes in this folder yet. New notes are detected automatically. To use another folder: notewright web --vault FOLDER'
    : 'Indexing your notes …'
}

const phases: Record<string, string> = {
  listing: 'Looking at your notes',
  reading: 'Reading your notes',
  vectors: 'Learning what they mean',
  merging: 'Putting it in order',
  embedding: 'Asking for embeddings',
}

/** Progress of indexing. */
export function IndexProgressBar({ progress }: { progress: IndexingProgress | undefined }) {
  const id = useId()
  const words = progress === undefined ? 'Beginning' : (phases[progress.phase] ?? progress.phase)
  return (
    <div class="page-progress">
      <label for={id}>{words}…</label>
      {progress !== undefined && progress.total > 0 ? (
        <progress id={id} max={progress.total} value={progress.done} />
      ) : (
        <progress id={id} />
      )}
    </div>
  )
}
