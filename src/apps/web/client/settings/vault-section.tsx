import { useEffect, useState } from 'preact/hooks'
import { count, visibleText } from '../../../../core/text/index.js'
import { FailureBox, Fold, freshnessWords, useHost } from '../../../../ui/index.js'
import { failureOf, postJson } from '../ask-server.js'
import type { IndexingProgress, ProjectRow } from '../overview.js'
import { useLoaded } from '../use-loaded.js'
import { IndexProgressBar } from '../welcome.js'
import { SettingGroups } from './setting-groups.js'
import type { SectionProps } from './settings-pane.js'

interface Memory {
  note: string
  memories: { number: number; text: string; line: number }[]
}

/** Memories and projects of the vault. */
export function VaultSection({ settings, save }: SectionProps) {
  const { openNote, notify } = useHost()
  const memory = useLoaded<Memory>('memory')
  const projects = useLoaded<{ projects: ProjectRow[] }>('projects')
  const [refused, setRefused] = useState<unknown>()
  async function forget({ number, text }: Memory['memories'][number]): Promise<void> {
    setRefused(undefined)
    try {
      await postJson('memory/forget', { number, text })
      notify(`Forgotten: ${text}. You can undo it in Activity.`)
    } catch (error) {
      setRefused(error)
    }
    await memory.look()
  }
  const link = (path: string, line?: number) => (
    <button type="button" class="nw-link" onClick={() => openNote(path, line ? { lines: [line, line] } : undefined)}>
      {visibleText(path).text}
    </button>
  )
  return (
    <>
      <h3>Memory</h3>
      <p class="nw-remark">
        Memories are sent to the model with every question. To add one, write “@memory I garden in zone 7” in a chat.
      </p>
      {refused !== undefined && <FailureBox failure={failureOf(refused)} title="The memory was not removed" />}
      {memory.trouble !== undefined && <FailureBox failure={failureOf(memory.trouble)} />}
      {memory.answer?.memories.length === 0 && <p class="nw-remark">No memories yet.</p>}
      <ul class="page-rows">
        {memory.answer?.memories.map((one) => (
          <li key={one.number}>
            <span>{visibleText(one.text).text}</span>
            <button type="button" aria-label={`Forget: ${one.text}`} onClick={() => void forget(one)}>
              Forget
            </button>
          </li>
        ))}
      </ul>
      {memory.answer && memory.answer.memories.length > 0 && <p>Kept in {link(memory.answer.note)}</p>}
      <SettingGroups settings={settings} save={save} groups={['memory']} />
      <h3>Projects</h3>
      <p class="nw-remark">
        A chat in a project sees only the notes of the project. To add one, give a note the properties{' '}
        <code>notewright: project</code> and <code>folders: [Garden]</code>.
      </p>
      {projects.trouble !== undefined && <FailureBox failure={failureOf(projects.trouble)} />}
      {projects.answer?.projects.length === 0 && <p class="nw-remark">No projects yet.</p>}
      <ul class="page-rows">
        {projects.answer?.projects.map(({ name, from, notes, wrong }) => (
          <li key={name}>
            <span>
              <strong>{visibleText(name).text}</strong> {wrong ? visibleText(wrong).text : count(notes, 'note')}
            </span>
            {from === 'settings' ? <small>settings</small> : link(from)}
          </li>
        ))}
      </ul>
    </>
  )
}

interface IndexState {
  notes: number
  chunks: number
  links: number
  unresolved: number
  freshness: string
  skipped: { path: string; reason: string }[]
  running: boolean
  progress?: IndexingProgress
  trouble?: string
}

const lookEveryMs = 400

/** Index status, rebuild, and exclusions. */
export function IndexSection({ settings, save }: SectionProps) {
  const { answer, trouble, look } = useLoaded<IndexState>('index')
  const [refused, setRefused] = useState<unknown>()
  const isRunning = answer?.running === true
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => void look(), lookEveryMs)
    return () => clearInterval(timer)
  }, [isRunning])
  const begin = async (rebuild: boolean) => {
    setRefused(undefined)
    await postJson('index', { rebuild }).catch(setRefused)
    await look()
  }
  return (
    <>
      <h3>Search index</h3>
      {trouble !== undefined && <FailureBox failure={failureOf(trouble)} />}
      {refused !== undefined && <FailureBox failure={failureOf(refused)} title="The index was not updated" />}
      {answer && (
        <>
          <p role="status">
            {count(answer.notes, 'note')}, {count(answer.chunks, 'passage')}, {count(answer.links, 'link')} (
            {answer.unresolved} unresolved). {isRunning ? 'Updating…' : freshnessWords(answer.freshness)}
          </p>
          {isRunning && <IndexProgressBar progress={answer.progress} />}
          {answer.trouble && <p class="nw-trouble">{visibleText(answer.trouble).text}</p>}
          <div class="nw-buttons">
            <button type="button" disabled={isRunning} onClick={() => void begin(false)}>
              Update
            </button>
            <button type="button" disabled={isRunning} onClick={() => void begin(true)}>
              Rebuild
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
      <h3>Exclusions and search</h3>
      <p class="nw-remark">Changes take effect when the server is restarted.</p>
      <SettingGroups settings={settings} save={save} groups={['privacy', 'index']} />
    </>
  )
}
