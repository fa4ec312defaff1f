import type { Transaction } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { type App, MarkdownView, type TFile } from 'obsidian'
import { difference, findAgain, leftOf, movedPlace, type Written } from './find-again.js'

/** `closed`: no editor shows the note. `touched`: somebody has typed into it, so that no more is written. */
export type Outcome = 'written' | 'closed' | 'touched'

/**
 * The stretch of a note that an answer is written into, in whatever editor shows the note. While it grows it is no part of the
 * undo history; in the end it is put there as one step.
 */
export class AnswerPlace {
  #written: Written = { block: '', at: 0 }
  #editor: EditorView | undefined

  constructor(
    private readonly app: App,
    readonly file: TFile,
  ) {}

  /** What stands in the note of it. */
  get block(): string {
    return this.#written.block
  }

  /** At a place of a text that may have changed since. Puts the cursor behind it, where the next question goes. */
  begin(wanted: { at: number; text: string }, block: string): void {
    const editor = this.#shown()
    if (editor === undefined) return
    const at = movedPlace(wanted.at, wanted.text, editor.state.doc.toString())
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

  /** Where it was not begun, there is nothing to go on with. */
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

  /** The last of it. From here on undo takes all of it back at once, and leaves what the person has typed. */
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
        ? leftOf(this.#written, editor.state.doc.toString(), editor.state.selection.main.head)
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

/** What the person sees is what the file holds from here on. */
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

/** Puts parts in again as one step of the history, then takes out what stood there past it. Nothing moves on the screen. */
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
  // A kind of its own is never joined with what the person has typed before.
  editor.dispatch({ changes: parts.map(({ to, text }) => ({ from: to, insert: text })), userEvent: 'input.answer' })
  editor.dispatch({ changes: old, annotations: addToHistory.of(false) })
  // A cursor that is set ends the step, so that what is typed next is one of its own.
  editor.dispatch({ selection, userEvent: 'select.answer' })
  editor.scrollDOM.scrollTop = scrollTop
}
