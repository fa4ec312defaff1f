import { useEffect, useState } from 'preact/hooks'
import { FailureBox, type NotePlace, NoteView, type ShownNote } from '../../../ui/index.js'
import { failureOf, getJson } from './ask-server.js'

/** The note that a link or a citation means. */
export function NotePane({ target, place, vault }: { target: string; place?: NotePlace; vault: string }) {
  const [note, setNote] = useState<ShownNote | undefined>()
  const [trouble, setTrouble] = useState<unknown>()

  useEffect(() => {
    let isLate = false
    setNote(undefined)
    setTrouble(undefined)
    getJson<ShownNote>(`note?target=${encodeURIComponent(target)}`).then(
      (found) => isLate || setNote(found),
      (error) => isLate || setTrouble(error),
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
      <p>
        <a href={address}>Open in Obsidian</a>
      </p>
    </>
  )
}
