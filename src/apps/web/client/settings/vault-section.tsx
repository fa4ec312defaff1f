import { useState } from 'preact/hooks'
import { count, visibleText } from '../../../../core/text/index.js'
import { FailureBox, useHost } from '../../../../ui/index.js'
import { failureOf, postJson } from '../ask-server.js'
import type { ProjectRow } from '../overview.js'
import { useLoaded } from '../use-loaded.js'
import { NamedSettings } from './named-settings.js'
import type { SectionProps } from './settings-pane.js'

interface Memory {
  note: string
  memories: { number: number; text: string; line: number }[]
}

/** What is remembered, and the parts of the vault one can work in. */
export function VaultSection({ settings, save }: SectionProps) {
  const { openNote, notify } = useHost()
  const memory = useLoaded<Memory>('memory')
  const projects = useLoaded<{ projects: ProjectRow[] }>('projects')
  const [refused, setRefused] = useState<unknown>()
  async function forget({ number, text }: Memory['memories'][number]): Promise<void> {
    setRefused(undefined)
    try {
      await postJson('memory/forget', { number, text })
      notify(`Forgotten: ${text}. Activity can take it back.`)
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
        What you ask to have remembered stands in every prompt. Say it in a question: “@memory I garden in zone 7”.
      </p>
      {refused !== undefined && <FailureBox failure={failureOf(refused)} title="It was not forgotten" />}
      {memory.trouble !== undefined && <FailureBox failure={failureOf(memory.trouble)} />}
      {memory.answer?.memories.length === 0 && <p class="nw-remark">Nothing is remembered yet.</p>}
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
      <NamedSettings settings={settings} save={save} names={{ 'memory.note': 'The note that keeps it' }} />
      <h3>Projects</h3>
      <p class="nw-remark">
        A conversation in a project sees its notes alone. A note with the properties <code>notewright: project</code>{' '}
        and <code>folders: [Garden]</code> makes one.
      </p>
      {projects.trouble !== undefined && <FailureBox failure={failureOf(projects.trouble)} />}
      {projects.answer?.projects.length === 0 && <p class="nw-remark">There are no projects yet.</p>}
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
