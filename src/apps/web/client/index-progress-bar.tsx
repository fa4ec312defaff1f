import { useId } from 'preact/hooks'
import type { Progress } from './overview.js'

const phases: Record<string, string> = {
  listing: 'Looking at your notes',
  reading: 'Reading your notes',
  vectors: 'Learning what they mean',
  merging: 'Putting it in order',
  embedding: 'Asking for embeddings',
}

/** How far the reading of the notes is. */
export function IndexProgressBar({ progress }: { progress: Progress | undefined }) {
  const id = useId()
  const words = progress === undefined ? 'Beginning' : (phases[progress.phase] ?? progress.phase)
  return (
    <div class="page-progress">
      <label for={id}>{words}…</label>
      {progress !== undefined && progress.total > 0 ? (
        <progress id={id} max={progress.total} value={progress.done} />
      ) : (
        <progress id={id} />
      )}
    </div>
  )
}
