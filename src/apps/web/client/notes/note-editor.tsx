import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { visibleText } from '../../../../core/text/index.js'
import { editableText, mergeEdits, showDiff } from '../../../../core/vault/index.js'
import { DiffView, FailureBox } from '../../../../ui/index.js'
import { failureOf, postJson } from '../ask-server.js'
import { type CodeEditor, openCodeEditor } from './code-editor.js'
import { DraftRelated } from './draft-related.js'
import { type EditableNote, loadFile } from './loaded-note.js'
import { type NoteDraft, readNoteDraft, writeNoteDraft } from './note-drafts.js'

interface NoteEditorProps {
  note: EditableNote
  /** Moves to a line at first. */
  line?: number | undefined
  onSaved(text: string): void
  /** The editor is closed. What is not saved stays in the draft. */
  onLeave(): void
}

/** Whether the text is saved, shown above the editor. */
type EditState = 'saved' | 'unsaved' | 'saving'

/** The text of a note, saved as a change that can be undone. What is typed is kept over a reload. */
export function NoteEditor({ note, line, onSaved, onLeave }: NoteEditorProps) {
  const { path } = note
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<CodeEditor | undefined>(undefined)
  const [first] = useState(() => readNoteDraft(path))
  /** The text that the typed one was begun from. */
  const saved = useRef({ text: first?.base ?? note.text, hash: first?.hash ?? note.hash })
  const [state, setState] = useState<EditState>(first === undefined ? 'saved' : 'unsaved')
  const [typed, setTyped] = useState(first?.text ?? note.text)
  const [trouble, setTrouble] = useState<unknown>()
  const [conflict, setConflict] = useState<EditableNote | undefined>(
    first !== undefined && first.hash !== note.hash ? note : undefined,
  )
  const isSaving = useRef(false)
  const isKept = useDraftOf(path, typed, saved)

  const save = useCallback(async (): Promise<boolean> => {
    const text = editor.current?.text()
    if (text === undefined || isSaving.current) return false
    if (text === saved.current.text) {
      setState('saved')
      return true
    }
    isSaving.current = true
    setState('saving')
    try {
      const { hash } = await postJson<{ hash: string }>('note', { path, before: saved.current.hash, text })
      saved.current = { text, hash }
      setTrouble(undefined)
      setConflict(undefined)
      const isAllSaved = editor.current === undefined || editor.current.text() === text
      setState(isAllSaved ? 'saved' : 'unsaved')
      writeNoteDraft(path, isAllSaved ? undefined : { text: editor.current!.text(), base: text, hash })
      onSaved(text)
      return isAllSaved
    } catch (error) {
      setState('unsaved')
      if (failureOf(error).code === 'conflict') await lookAtSaved()
      else setTrouble(error)
      return false
    } finally {
      isSaving.current = false
    }
  }, [path])

  async function lookAtSaved(): Promise<void> {
    try {
      const now = await loadFile(path)
      if (now.kind === 'note') setConflict(now)
    } catch (error) {
      setTrouble(error)
    }
  }

  const now = useRef({ save, onLeave })
  now.current = { save, onLeave }
  useEffect(() => {
    const opened = openCodeEditor(host.current!, {
      text: first?.text ?? note.text,
      label: `Text of ${note.title}`,
      onChange(text) {
        setTyped(text)
        setState(text === saved.current.text ? 'saved' : 'unsaved')
      },
      onSave: () => void now.current.save(),
      onLeave: () => now.current.onLeave(),
    })
    editor.current = opened
    opened.goTo(line ?? note.text.slice(0, note.bodyAt).split('\n').length)
    return () => {
      opened.destroy()
      editor.current = undefined
    }
  }, [path])

  /** Ends the conflict: later edits are based on the version saved now. */
  function resolve(text: string, andSave: boolean): void {
    saved.current = { text: conflict!.text, hash: conflict!.hash }
    if (text !== editor.current!.text()) editor.current!.replace(text)
    setConflict(undefined)
    setState(text === saved.current.text ? 'saved' : 'unsaved')
    editor.current!.focus()
    if (andSave) void save()
  }

  return (
    <div class="page-note-edit">
      <div class="page-note-bar" role="toolbar" aria-label="Editing">
        <span role="status" class="nw-facts-line nw-grow">
          {words[state]}
          {state === 'unsaved' && !isKept && ' This browser cannot keep the draft: save it before you close the page.'}
        </span>
        <button
          type="button"
          class="nw-btn-main nw-btn-small"
          disabled={state !== 'unsaved' || conflict !== undefined}
          onClick={() => void save()}
        >
          Save
        </button>
        <button
          type="button"
          class="nw-btn-small"
          onClick={async () => {
            if (state === 'saved' || (await save())) onLeave()
          }}
        >
          Done
        </button>
      </div>
      {trouble !== undefined && <FailureBox failure={failureOf(trouble)} title="The note could not be saved" />}
      {conflict && (
        <Conflict typed={typed} base={saved.current.text} saved={conflict.text} path={path} onResolve={resolve} />
      )}
      <div class="page-note-code" ref={host} />
      <DraftRelated text={typed} except={[path]} />
    </div>
  )
}

const words: Record<EditState, string> = { saved: 'Saved', unsaved: 'Not saved yet', saving: 'Saving…' }

/** Stores what was typed shortly after, and at once when the page goes away. Returns whether the browser stored it. */
function useDraftOf(path: string, typed: string, saved: { current: { text: string; hash: string } }): boolean {
  const [isKept, setKept] = useState(true)
  const latest = useRef(typed)
  latest.current = typed
  const keep = useCallback(() => {
    const { text: base, hash } = saved.current
    const draft: NoteDraft | undefined = latest.current === base ? undefined : { text: latest.current, base, hash }
    const isStored = writeNoteDraft(path, draft)
    setKept(isStored)
    return isStored
  }, [path])
  useEffect(() => {
    const timer = setTimeout(keep, 100)
    return () => clearTimeout(timer)
  }, [typed])
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (!keep()) event.preventDefault()
    }
    addEventListener('beforeunload', warn)
    addEventListener('pagehide', keep)
    return () => {
      removeEventListener('beforeunload', warn)
      removeEventListener('pagehide', keep)
      keep()
    }
  }, [keep])
  return isKept
}

/** Both versions of a note that was changed while it was edited, and what can be done. */
function Conflict({
  typed,
  base,
  saved,
  path,
  onResolve,
}: {
  typed: string
  base: string
  saved: string
  path: string
  onResolve(text: string, andSave: boolean): void
}) {
  const box = useRef<HTMLElement>(null)
  useEffect(() => box.current?.focus(), [])
  const bytes = (text: string) => new TextEncoder().encode(text)
  const merge = () => mergeEdits({ base, typed, saved })
  const { conflicts } = merge()
  return (
    <section class="page-note-conflict" aria-label="Changed meanwhile" tabIndex={-1} ref={box}>
      <b>{visibleText(path).text} was changed while you edited it</b>
      <p class="nw-remark">
        Nothing is overwritten.{' '}
        {conflicts === 0
          ? 'The two versions change different lines and can be merged.'
          : 'Both change the same lines. A merge keeps both versions of them, the saved one first.'}
      </p>
      <DiffView
        label="From the saved version to yours"
        diff={showDiff(path, bytes(saved), bytes(editableText(typed)))}
      />
      <div class="nw-buttons">
        <button type="button" class="nw-btn-main" onClick={() => onResolve(merge().text, false)}>
          Merge
        </button>
        <button type="button" onClick={() => onResolve(typed, true)}>
          Keep mine
        </button>
        <button type="button" onClick={() => onResolve(saved, false)}>
          Use the saved version
        </button>
      </div>
    </section>
  )
}
