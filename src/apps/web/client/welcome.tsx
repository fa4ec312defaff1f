import { useEffect } from 'preact/hooks'
import { count, visibleText } from '../../../core/text/index.js'
import { freshnessWords } from '../../../ui/index.js'
import { IndexProgressBar } from './index-progress-bar.js'
import type { ModelRow, Overview } from './overview.js'
import { useLoaded } from './use-loaded.js'

const lookEveryMs = 500

export interface WelcomeProps {
  overview: Overview
  models: readonly ModelRow[]
  model: string
  onModel(model: string): void
  onAsk(text: string): void
  onSettings(): void
  /** Asks how far the index is. */
  onLook(): void
}

/** Before the first question: where one is, what can be done, and what leaves the machine. */
export function Welcome({ overview, models, model, onModel, onAsk, onSettings, onLook }: WelcomeProps) {
  const { vault, notes, freshness, progress } = overview
  const { answer, look } = useLoaded<{ questions: string[] }>('questions')
  const isReading = progress !== undefined || notes === 0 || freshness !== 'fresh'
  useEffect(() => {
    if (!isReading) return
    const timer = setInterval(onLook, lookEveryMs)
    return () => clearInterval(timer)
  }, [isReading])
  // What can be asked is known once the notes are read.
  useEffect(() => void look(), [isReading])
  const others = models.filter((one) => one.model !== 'offline')
  return (
    <div class="page-welcome">
      <h2>{visibleText(vault).text}</h2>
      <p>
        {notesWords(overview)}
        {notes > 0 && freshness !== 'fresh' && ` ${freshnessWords(freshness)} You can already ask.`}
      </p>
      {progress && <IndexProgressBar progress={progress} />}
      <p>
        {model === 'offline'
          ? 'No language model is chosen: answers are found in your notes and quoted, and plain requests are carried out. Nothing leaves this machine.'
          : `Answers come from ${visibleText(model).text}. What you ask and what it reads of your notes is sent there.`}{' '}
        Nothing is changed without your yes, and every change can be taken back.
      </p>
      {answer && answer.questions.length > 0 && <p class="nw-remark">These notes can answer, for example:</p>}
      <ul>
        {answer?.questions.map((question) => (
          <li key={question}>
            <button type="button" onClick={() => onAsk(question)}>
              {visibleText(question).text}
            </button>
          </li>
        ))}
      </ul>
      {model === 'offline' && (
        <p class="page-models-found">
          {others.length > 0
            ? 'On this machine there is also:'
            : 'For a language model, start Ollama or LM Studio on this machine, or store the key of a provider.'}{' '}
          {others.slice(0, 4).map((one) => (
            <button key={one.model} type="button" title={one.about} onClick={() => onModel(one.model)}>
              {visibleText(one.model).text}
            </button>
          ))}{' '}
          <button type="button" class="nw-link" onClick={onSettings}>
            {others.length > 0 ? 'Others, and keys' : 'Models and keys'}
          </button>
        </p>
      )}
    </div>
  )
}

function notesWords({ notes, freshness, progress }: Overview): string {
  if (notes > 0) return `${count(notes, 'note')}.`
  const isEmpty = freshness === 'fresh' && progress === undefined
  return isEmpty
    ? 'There is no note in this folder yet. Write one in any editor, and it is found by itself; or name another folder: notewright web --vault FOLDER'
    : 'Your notes are being read.'
}
