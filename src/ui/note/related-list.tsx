import { visibleText } from '../../core/text/index.js'
import type { RelatedNote } from '../../core/vault-index/index.js'
import { useHost } from '../ui-host.js'

/** Notes that belong with the one that is shown, each with the reasons. */
export function RelatedList({ notes }: { notes: readonly RelatedNote[] }) {
  const { openNote } = useHost()
  return (
    <>
      <h3>Related</h3>
      {notes.length === 0 ? (
        <p class="nw-remark">No other note has to do with it, or those that have are linked already.</p>
      ) : (
        <ul class="nw-related">
          {notes.map(({ path, title, reasons }) => (
            <li key={path}>
              <button type="button" class="nw-link" onClick={() => openNote(path)}>
                {visibleText(title).text}
              </button>
              <small>{visibleText(reasons.join('. ')).text}.</small>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
