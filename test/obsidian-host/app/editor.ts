import { defaultKeymap, history, historyKeymap, redo, undo } from '@codemirror/commands'
import { EditorState } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'

interface Position {
  line: number
  ch: number
}
interface Change {
  from: Position
  to?: Position
  text: string
}

/** The text that a user edits, in the same editor as the app: lines end in a line feed here, whatever the file has. */
export class Editor {
  readonly cm: EditorView

  constructor(private readonly changed: () => void) {
    this.cm = new EditorView({ state: this.#stateOf('') })
  }
  #stateOf(doc: string): EditorState {
    return EditorState.create({
      doc,
      extensions: [
        history(),
        keymap.of([...defaultKeymap, ...historyKeymap]),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': 'Note' }),
        EditorView.updateListener.of(({ docChanged }) => docChanged && this.changed()),
      ],
    })
  }
  get #length(): number {
    return this.cm.state.doc.length
  }

  /** Another note: nothing of the one before can be brought back by undo. */
  load(text: string): void {
    this.cm.setState(this.#stateOf(lineFeeds(text)))
  }
  getValue(): string {
    return this.cm.state.doc.toString()
  }
  /** Replaces only the range in which the texts differ. */
  setValue(text: string): void {
    const { from, to, insert } = difference(this.getValue(), lineFeeds(text))
    this.cm.dispatch({ changes: { from, to, insert } })
  }
  getSelection(): string {
    const { from, to } = this.cm.state.selection.main
    return this.cm.state.sliceDoc(from, to)
  }
  setSelection(anchor: Position, head: Position = anchor): void {
    this.cm.dispatch({ selection: { anchor: this.posToOffset(anchor), head: this.posToOffset(head) } })
  }
  getCursor(): Position {
    return this.offsetToPos(this.cm.state.selection.main.head)
  }
  setCursor(at: Position): void {
    this.setSelection(at)
  }
  posToOffset({ line, ch }: Position): number {
    const { doc } = this.cm.state
    if (line >= doc.lines) return this.#length
    const { from, to } = doc.line(line + 1)
    return Math.min(from + ch, to)
  }
  offsetToPos(offset: number): Position {
    const { number, from } = this.cm.state.doc.lineAt(Math.min(offset, this.#length))
    return { line: number - 1, ch: Math.min(offset, this.#length) - from }
  }
  /** One step of undo, however many changes. Positions are those before all of them. */
  transaction({ changes = [] }: { changes?: Change[] }, origin?: string): void {
    const spans = changes.map(({ from, to = from, text }) => ({
      from: this.posToOffset(from),
      to: this.posToOffset(to),
      insert: text,
    }))
    this.cm.dispatch({ changes: spans, ...(origin !== undefined && { userEvent: origin }) })
  }
  replaceRange(text: string, from: Position, to?: Position): void {
    this.transaction({ changes: [{ from, to, text }] })
  }
  undo(): void {
    undo(this.cm)
  }
  redo(): void {
    redo(this.cm)
  }
}

const lineFeeds = (text: string): string => text.replace(/\r\n?/g, '\n')

interface Difference {
  from: number
  to: number
  insert: string
}

/** The one span that makes a text of another. */
function difference(one: string, other: string): Difference {
  const most = Math.min(one.length, other.length)
  let from = 0
  while (from < most && one[from] === other[from]) from++
  let end = 0
  while (end < most - from && one[one.length - 1 - end] === other[other.length - 1 - end]) end++
  return { from, to: one.length - end, insert: other.slice(from, other.length - end) }
}

/** The external text with the user's own changes applied to it again; if both overlap, the external text wins. */
export function merged(before: string, own: string, theirs: string): string {
  const [mine, other] = [difference(before, own), difference(before, theirs)]
  if (mine.from >= other.to) {
    const moved = theirs.length - before.length
    return theirs.slice(0, mine.from + moved) + mine.insert + theirs.slice(mine.to + moved)
  }
  if (mine.to <= other.from) return theirs.slice(0, mine.from) + mine.insert + theirs.slice(mine.to)
  return theirs
}
