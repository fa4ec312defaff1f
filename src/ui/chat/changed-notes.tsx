import { count } from '../../core/text/index.js'
import { Fold } from '../fold.js'
import { NoteLinks } from '../note-links.js'
import type { ChangedNotes } from '../transcript/index.js'
import { useHost } from '../ui-host.js'

/** After a turn that wrote something: which notes, and the way back. */
export function ChangedNotesBar({
  changes,
  onReview,
  onUndo,
}: {
  changes: readonly ChangedNotes[]
  onReview?: (ids: string[]) => void
  onUndo?: (ids: string[]) => void
}) {
  const { Icon } = useHost()
  if (changes.length === 0) return null
  const paths = [...new Set(changes.flatMap((change) => change.paths))]
  const ids = changes.map(({ id }) => id)
  return (
    <div role="group" class="nw-changed" aria-label="Changed notes">
      <Fold label={`Changed ${count(paths.length, 'note')}`}>{() => <NoteLinks paths={paths} />}</Fold>
      <span class="nw-changed-actions">
        {onReview && (
          <button type="button" onClick={() => onReview(ids)}>
            Review
          </button>
        )}
        {onUndo && (
          <button type="button" onClick={() => onUndo(ids)}>
            <Icon name="undo" /> Undo
          </button>
        )}
      </span>
    </div>
  )
}
