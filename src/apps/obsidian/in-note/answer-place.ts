import type { Transaction } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { type App, MarkdownView, type TFile } from 'obsidian'
import { Failure } from '../../../core/errors.js'
import type { Notebook } from '../../../core/index/index.js'
import { type Change, changeSet, type NoteFile, notePath } from '../../../core/vault/index.js'
import {
  difference,
  findAgain,
  movedPosition,
  remainingParts,
  uniquePosition,
  type WrittenBlock,
} from './find-again.js'

/** `closed`: no editor shows the note. `touched`: the user has typed into the answer, so writing stops. */
type Outcome = 'written' | 'closed' | 'touched'

/**
 * The block of a note that an answer is written into, in any editor that shows the note. While it grows it is not part
 * of the undo history; in the end it is added as one step.
 */
export class AnswerBlock {
  #written: WrittenBlock = { block: '', at: 0 }
  #editor: EditorView | undefined

  constructor(
    private readonly app: App,
    readonly file: TFile,
  ) {}

  /** The text of the answer in the note. */
  get block(): string {
    return this.#written.block
  }

  /** Starts at a position of a text that may have changed since. Puts the cursor after it, for the next question. */
  begin(wanted: { at: number; text: string }, block: string): void {
    const editor = this.#shown()
    if (editor === undefined) return
    const at = movedPosition(wanted.at, wanted.text, editor.state.doc.toString())
    const anchor = at + block.length
    const { addToHistory } = transactions(editor)
    editor.dispatch({
      changes: { from: at, insert: block },
      selection: { anchor },
      scrollIntoView: true,
      annotations: addToHistory.of(false),
    })
    this.#remember(editor, at, block)
  }

  /** Without a first write there is no block to update. */
  write(block: string): Outcome {
    const editor = this.#shown()
    if (editor === undefined || this.block === '') return 'closed'
    const at = this.#find(editor)
    if (at === undefined) return 'touched'
    const { from, to, insert } = difference(this.block, block)
    if (from === to && insert === '') return 'written'
    const { addToHistory } = transactions(editor)
    editor.dispatch({ changes: { from: at + from, to: at + to, insert }, annotations: addToHistory.of(false) })
    this.#remember(editor, at, block)
    return 'written'
  }

  /** Writes the final text. From now on undo removes all of it in one step, and keeps the user's typing. */
  finish(block: string): Outcome {
    const editor = this.#shown()
    if (editor === undefined || this.block === '') return 'closed'
    const at = this.#find(editor)
    if (at !== undefined) {
      putAnew(editor, [{ from: at, to: at + this.block.length, text: block }])
      this.#remember(editor, at, block)
      return 'written'
    }
    const left =
      editor === this.#editor
        ? remainingParts(this.#written, editor.state.doc.toString(), editor.state.selection.main.head)
        : []
    putAnew(
      editor,
      left.map((part) => ({ ...part, text: editor.state.sliceDoc(part.from, part.to) })),
    )
    return 'touched'
  }

  #find(editor: EditorView): number | undefined {
    const known = editor === this.#editor ? this.#written : { ...this.#written, text: undefined }
    return findAgain(known, editor.state.doc.toString())
  }

  #remember(editor: EditorView, at: number, block: string): void {
    this.#editor = editor
    this.#written = { block, at, text: editor.state.doc.toString() }
  }

  /** The editor that was written into before, if it still shows the note. */
  #shown(): EditorView | undefined {
    const editors = viewsOf(this.app, this.file).flatMap((view) => codeMirrorOf(view) ?? [])
    return editors.find((editor) => editor === this.#editor) ?? editors[0]
  }
}

/** Saves open editors first, so that the file has the text the user sees. */
export async function saveEditors(app: App, file: TFile): Promise<void> {
  for (const view of viewsOf(app, file)) await view.save()
}

function viewsOf(app: App, file: TFile): MarkdownView[] {
  const views: MarkdownView[] = []
  app.workspace.iterateAllLeaves(({ view }) => {
    if (view instanceof MarkdownView && view.file === file) views.push(view)
  })
  return views
}

/** The editor below Obsidian's own, which can be written into past the undo history. */
function codeMirrorOf({ editor }: MarkdownView): EditorView | undefined {
  const { cm } = editor as unknown as { cm?: EditorView }
  return typeof cm?.dispatch === 'function' && transactions(cm).addToHistory !== undefined ? cm : undefined
}

/** By an empty one: the app lends out no module but its own. */
const transactions = (editor: EditorView) => editor.state.update({}).constructor as typeof Transaction

interface Part {
  from: number
  to: number
  text: string
}

/**
 * Inserts parts again as one step of the history, then removes the earlier text outside the history. Nothing moves on
 * the screen.
 */
function putAnew(editor: EditorView, parts: readonly Part[]): void {
  const { addToHistory } = transactions(editor)
  const { anchor, head } = editor.state.selection.main
  const { scrollTop } = editor.scrollDOM
  const moved = (position: number) =>
    parts.reduce((sum, { from, to, text }) => {
      if (position <= from) return sum
      return sum + (position >= to ? text.length - (to - from) : Math.min(0, text.length - (position - from)))
    }, position)
  const selection = { anchor: moved(anchor), head: moved(head) }
  let added = 0
  const old = parts.map(({ from, to, text }) => {
    const shifted = { from: from + added, to: to + added }
    added += text.length
    return shifted
  })
  // A separate event type is never joined with the user's earlier typing.
  editor.dispatch({ changes: parts.map(({ to, text }) => ({ from: to, insert: text })), userEvent: 'input.answer' })
  editor.dispatch({ changes: old, annotations: addToHistory.of(false) })
  // Setting the cursor ends the step, so that later typing is a separate one.
  editor.dispatch({ selection, userEvent: 'select.answer' })
  editor.scrollDOM.scrollTop = scrollTop
}

const attempts = 3

/**
 * Writes an answer into a note that no editor shows, as an undoable change: in place of its remaining text, or else at
 * the end. False if the note is gone.
 */
export async function answerInFile(
  notebook: Notebook,
  path: string,
  { was, block, session }: { was: string; block: string; session: string },
): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    const note = await notebook.vault.read(notePath(path))
    if (note === undefined) return false
    const change = changeOf(note, was, block)
    if (change === undefined) return true
    try {
      await notebook.apply(changeSet(`Answer in ${path}`, [change], { session }))
      return true
    } catch (error) {
      // The note has changed since it was read.
      if (!(error instanceof Failure) || error.code !== 'conflict' || attempt === attempts) throw error
    }
  }
}

function changeOf({ path, text, hash, encoding }: NoteFile, was: string, block: string): Change | undefined {
  const at = encoding === 'utf-8' ? uniquePosition(was, text) : undefined
  const encoder = new TextEncoder()
  if (at !== undefined) {
    const after = text.slice(0, at) + block + text.slice(at + was.length)
    return after === text ? undefined : { kind: 'edit', path, before: hash, after: encoder.encode(after) }
  }
  return block === '' ? undefined : { kind: 'append', path, added: encoder.encode(block) }
}
