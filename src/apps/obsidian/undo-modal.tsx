import { type App, Modal } from 'obsidian'
import type { Notebook } from '../../core/notebook/index.js'
import { type ChangeSet, type SettledPlace, settlePlaces, showChanges } from '../../core/vault/index.js'
import { type UndoPlan, UndoView } from '../../ui/index.js'
import { drawPanel } from './draw-panel.js'

/** Shows what taking changes back would do, and does exactly that when it is told to. */
export class UndoModal extends Modal {
  constructor(
    app: App,
    private readonly notebook: Notebook,
    private readonly ids: readonly string[],
    private readonly onDone: (text: string) => void,
  ) {
    super(app)
    this.setTitle('Take back')
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

/** The newest change that stands and is no undo itself. */
export async function lastChange(notebook: Notebook): Promise<string[]> {
  const history = await notebook.history()
  const last = history.find(({ state, undoes }) => state === 'applied' && undoes.length === 0)
  return last === undefined ? [] : [last.id]
}

/** Several are taken back one after the other, the newest first. */
function UndoPanel({
  notebook,
  ids,
  onDone,
}: {
  notebook: Notebook
  ids: readonly string[]
  onDone: (text: string) => void
}) {
  async function plan(id: string, settle?: readonly SettledPlace[]): Promise<UndoPlan & { set: ChangeSet }> {
    const set = await notebook.planUndo({ id }, settle && settlePlaces(settle))
    const changes = await showChanges(set, (path) => notebook.vault.read(path))
    return { title: set.title, merged: set.merged ?? [], changes, set }
  }
  return <UndoView ids={ids} plan={plan} apply={({ set }) => notebook.apply(set)} onDone={onDone} />
}
