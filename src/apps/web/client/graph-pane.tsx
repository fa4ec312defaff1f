import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { NoteGraph } from '../../../core/vault-index/index.js'
import { FailureBox } from '../../../ui/index.js'
import { failureOf, getJson } from './ask-server.js'

type GraphView = ComponentType<{ graph: NoteGraph }>

/** A graph, and what draws it: neither is loaded before somebody wants to see one. */
export function GraphPane({ question }: { question: string }) {
  const [shown, setShown] = useState<{ graph: NoteGraph; View: GraphView } | undefined>()
  const [trouble, setTrouble] = useState<unknown>()

  useEffect(() => {
    let isLate = false
    setTrouble(undefined)
    Promise.all([getJson<NoteGraph>(`graph?${question}`), import('../../../ui/graph/index.js')]).then(
      ([graph, { GraphView }]) => isLate || setShown({ graph, View: GraphView }),
      (error) => isLate || setTrouble(error),
    )
    return () => {
      isLate = true
    }
  }, [question])

  if (trouble !== undefined) return <FailureBox failure={failureOf(trouble)} title="The graph cannot be shown" />
  if (shown === undefined) return <p class="nw-remark">Following the links…</p>
  return <shown.View graph={shown.graph} />
}

const depths = { 1: 'Linked with it', 2: 'Up to two links away', 3: 'Up to three links away' }

/** What lies around a note. */
export function NoteGraphPane({ path }: { path: string }) {
  const [depth, setDepth] = useState('1')
  return (
    <>
      <select aria-label="How far" value={depth} onChange={(event) => setDepth(event.currentTarget.value)}>
        {Object.entries(depths).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <GraphPane question={`target=${encodeURIComponent(path)}&depth=${depth}`} />
    </>
  )
}
