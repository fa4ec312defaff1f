import { visibleText } from '../../../core/text/index.js'
import type { ShownChange } from '../../../core/vault/index.js'
import { ChangeList, FailureBox } from '../../../ui/index.js'
import { failureOf } from './ask-server.js'

import { useLoaded } from './use-loaded.js'

interface MadeChange {
  id: string
  title: string
  changes: ShownChange[]
}

/** What was changed, by each call, as it stands in the notes now; and the way back. */
export function ReviewPane({ ids, onUndo }: { ids: readonly string[]; onUndo(ids: string[]): void }) {
  return (
    <div class="nw-undo">
      {ids.map((id) => (
        <Made key={id} id={id} />
      ))}
      <div class="nw-buttons">
        <button type="button" onClick={() => onUndo([...ids])}>
          Undo…
        </button>
      </div>
    </div>
  )
}

function Made({ id }: { id: string }) {
  const { answer, trouble } = useLoaded<MadeChange>(`changes/${encodeURIComponent(id)}`)
  if (trouble !== undefined) return <FailureBox failure={failureOf(trouble)} title="This change cannot be shown" />
  if (answer === undefined) return <p class="nw-remark">Looking…</p>
  return (
    <>
      <p>
        <strong>{visibleText(answer.title).text}</strong>
      </p>
      <ChangeList changes={answer.changes} />
    </>
  )
}
