import { useCallback, useState } from 'preact/hooks'
import { count, visibleText } from '../../core/text/index.js'
import type { NoteGraph } from '../../core/vault-index/index.js'
import { useHost } from '../ui-host.js'
import { GraphCanvas } from './graph-canvas.js'

/** Rows that are listed at once; the rest when asked for. */
const firstRows = 50

/** Notes and their links as a picture, and the same as a list: for whoever does not see it or has no pointer. */
export function GraphView({ graph }: { graph: NoteGraph }) {
  const { openNote } = useHost()
  const [marked, setMarked] = useState(-1)
  const [isWhole, setWhole] = useState(false)
  const open = useCallback((at: number) => openNote(graph.nodes[at].path), [graph])
  if (graph.nodes.length === 0) return <p class="nw-remark">No notes yet.</p>
  const degrees = new Array<number>(graph.nodes.length).fill(0)
  for (const link of graph.links) for (const at of link) degrees[at]++
  const rows = isWhole ? graph.nodes : graph.nodes.slice(0, firstRows)
  return (
    <div class="nw-graph">
      <GraphCanvas graph={graph} marked={marked} onMark={setMarked} onOpen={open} />
      <p class="nw-remark" role="status">
        {marked >= 0
          ? visibleText(`${graph.nodes[marked].title}: ${graph.nodes[marked].about}`).text
          : `${count(graph.nodes.length, 'note')}, ${count(graph.links.length, 'link')}${graph.isCut ? '; there are more' : ''}.`}
      </p>
      <ul class="nw-graph-list">
        {rows.map(({ path, title, about }, at) => (
          <li key={path} class={at === marked ? 'nw-graph-marked' : ''}>
            <button
              type="button"
              class="nw-link"
              onClick={() => open(at)}
              onFocus={() => setMarked(at)}
              onBlur={() => setMarked(-1)}
              onPointerEnter={() => setMarked(at)}
              onPointerLeave={() => setMarked(-1)}
            >
              {visibleText(title).text}
            </button>{' '}
            <small>
              {visibleText(about).text}, {count(degrees[at], 'link')} shown
            </small>
          </li>
        ))}
      </ul>
      {rows.length < graph.nodes.length && (
        <button type="button" onClick={() => setWhole(true)}>
          List all {graph.nodes.length}
        </button>
      )}
    </div>
  )
}
