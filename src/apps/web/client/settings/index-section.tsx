import { useEffect, useState } from 'preact/hooks'
import { count, visibleText } from '../../../../core/text/index.js'
import { FailureBox, Fold, freshnessWords } from '../../../../ui/index.js'
import { failureOf, postJson } from '../ask-server.js'
import { IndexProgressBar } from '../index-progress-bar.js'
import type { Progress } from '../overview.js'
import { useLoaded } from '../use-loaded.js'
import { NamedSettings } from './named-settings.js'
import type { SectionProps } from './settings-pane.js'

interface IndexState {
  notes: number
  chunks: number
  links: number
  unresolved: number
  freshness: string
  skipped: { path: string; reason: string }[]
  running: boolean
  progress?: Progress
  trouble?: string
}

const lookEveryMs = 400

const named = {
  exclude: 'Notes that are hidden from everything',
  'index.vectors': 'Learn the meaning of your notes',
  'embeddings.model': 'A model that makes embeddings',
}

/** What is searched: how far the index is, a way to make it again, and what is left out of it. */
export function IndexSection({ settings, save }: SectionProps) {
  const { answer, trouble, look } = useLoaded<IndexState>('index')
  const [refused, setRefused] = useState<unknown>()
  const isRunning = answer?.running === true
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => void look(), lookEveryMs)
    return () => clearInterval(timer)
  }, [isRunning])
  const begin = async (anew: boolean) => {
    setRefused(undefined)
    await postJson('index', { anew }).catch(setRefused)
    await look()
  }
  return (
    <>
      <h3>Index</h3>
      {trouble !== undefined && <FailureBox failure={failureOf(trouble)} />}
      {refused !== undefined && <FailureBox failure={failureOf(refused)} title="It was not begun" />}
      {answer && (
        <>
          <p role="status">
            {count(answer.notes, 'note')}, {count(answer.chunks, 'passage')}, {count(answer.links, 'link')} (
            {answer.unresolved} lead nowhere).{' '}
            {isRunning ? 'It is being brought up to date.' : freshnessWords(answer.freshness)}
          </p>
          {isRunning && <IndexProgressBar progress={answer.progress} />}
          {answer.trouble && <p class="nw-trouble">{visibleText(answer.trouble).text}</p>}
          <div class="nw-buttons">
            <button type="button" disabled={isRunning} onClick={() => void begin(false)}>
              Bring it up to date
            </button>
            <button type="button" disabled={isRunning} onClick={() => void begin(true)}>
              Make it anew
            </button>
          </div>
          {answer.skipped.length > 0 && (
            <Fold label={`${count(answer.skipped.length, 'file')} left out`}>
              {() => (
                <ul>
                  {answer.skipped.map(({ path, reason }) => (
                    <li key={path}>
                      {visibleText(path).text}: {visibleText(reason).text}
                    </li>
                  ))}
                </ul>
              )}
            </Fold>
          )}
        </>
      )}
      <h3>What is left out, and how it is searched</h3>
      <p class="nw-remark">These count when the server is started again.</p>
      <NamedSettings settings={settings} save={save} names={named} />
    </>
  )
}
