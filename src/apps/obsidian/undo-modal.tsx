import { type App, Modal } from 'obsidian'
import type { Notebook } from '../../core/index/index.js'
import { type ChangeSet, type ConflictResolution, chooseAs, showChanges } from '../../core/vault/index.js'
import { type UndoPlan, UndoView } from '../../ui/index.js'
import { drawPanel } from './draw-panel.js'

/** Previews an undo, and applies it after confirmation. */
export class UndoModal extends Modal {
  constructor(
    app: App,
    private readonly notebook: Notebook,
    private readonly ids: readonly string[],
    private readonly onDone: (text: string) => void,
  ) {
    super(app)
    this.setTitle('Undo')
  }

  override onOpen(): void {
    const done = (text: string) => {
      this.onDone(text)
      this.close()
    }
    this.contentEl.addClass('nw', 'notewright-modal')
    drawPanel(this.contentEl, this.app, <UndoPanel notebook={this.notebook} ids={this.ids} onDone={done} />)
  }
  override onClose(): void {
    drawPanel(this.contentEl, this.app, null)
  }
}

/** The newest change in effect that is not an undo. */
export async function changesToUndo(notebook: Notebook): Promise<string[]> {
  const history = await notebook.history()
  const last = history.find(({ state, undoes }) => state === 'applied' && undoes.length === 0)
  return last === undefined ? [] : [last.id]
}

/** Several changes are undone one after the other, newest first. */
function UndoPanel({
  notebook,
  ids,
  onDone,
}: {
  notebook: Notebook
  ids: readonly string[]
  onDone: (text: string) => void
}) {
  async function plan(id: string, settle?: readonly ConflictResolution[]): Promise<UndoPlan & { set: ChangeSet }> {
    const set = await notebook.planUndo({ id }, settle && chooseAs(settle))
    const changes = await showChanges(set, (path) => notebook.vault.read(path))
    return { title: set.title, merged: set.merged ?? [], changes, set }
  }
  return <UndoView ids={ids} plan={plan} apply={({ set }) => notebook.apply(set)} onDone={onDone} />
}
