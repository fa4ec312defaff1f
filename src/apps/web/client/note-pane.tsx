import { useEffect, useState } from 'preact/hooks'
import type { RelatedNote } from '../../../core/vault-index/index.js'
import { FailureBox, Fold, type NotePlace, NoteView, RelatedList, type ShownNote } from '../../../ui/index.js'
import { failureOf, getJson } from './ask-server.js'
import { NoteGraphPane } from './graph-pane.js'

/** The note that a link or a citation means. */
export function NotePane({ target, place, vault }: { target: string; place?: NotePlace; vault: string }) {
  const [note, setNote] = useState<ShownNote | undefined>()
  const [related, setRelated] = useState<RelatedNote[] | undefined>()
  const [trouble, setTrouble] = useState<unknown>()

  useEffect(() => {
    let isLate = false
    setNote(undefined)
    setRelated(undefined)
    setTrouble(undefined)
    getJson<ShownNote>(`note?target=${encodeURIComponent(target)}`).then(
      (found) => isLate || setNote(found),
      (error) => isLate || setTrouble(error),
    )
    // The note is shown without them where they cannot be found.
    getJson<{ notes: RelatedNote[] }>(`related?target=${encodeURIComponent(noteIn(target))}`).then(
      (found) => isLate || setRelated(found.notes),
      () => {},
    )
    return () => {
      isLate = true
    }
  }, [target])

  if (trouble !== undefined) return <FailureBox failure={failureOf(trouble)} title="The note cannot be shown" />
  if (note === undefined) return <p class="nw-remark">Reading the note…</p>
  const address = `obsidian://open?vault=${encodeURIComponent(vault)}&file=${encodeURIComponent(note.path)}`
  return (
    <>
      <NoteView note={note} place={place} />
      {related && <RelatedList notes={related} />}
      <Fold label="Graph" key={note.path}>
        {() => <NoteGraphPane path={note.path} />}
      </Fold>
      <p>
        <a href={address}>Open in Obsidian</a>
      </p>
    </>
  )
}

/** A target without the heading it may name. */
const noteIn = (target: string): string => target.split('#')[0]
