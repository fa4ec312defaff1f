import { visibleText } from '../../core/text/index.js'
import type { ShownChange } from '../../core/vault/index.js'
import { DiffView } from '../approval/index.js'

/** Changes of notes, each with its diff. */
export function ChangeList({ changes }: { changes: readonly ShownChange[] }) {
  return (
    <>
      {changes.map(({ kind, path, to, diff }, at) => (
        <div key={at}>
          <p>
            {kind} {visibleText(path).text}
            {to && ` to ${visibleText(to).text}`}
          </p>
          {diff !== undefined && <DiffView diff={diff} label={`Changes in ${path}`} />}
        </div>
      ))}
    </>
  )
}
