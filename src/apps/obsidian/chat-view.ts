import { ItemView, type WorkspaceLeaf } from 'obsidian'
import { draggedNotes } from './dragged-notes.js'
import type { NotewrightPlugin } from './plugin.js'

export const chatViewType = 'notewright-chat'

/** A prompt that a command has prepared for the user. */
export interface Proposal {
  text: string
  selection?: string
  /** Appends to the text already typed. */
  isAdded?: true
}

/** The pane with a conversation. Which one is kept with the workspace, so that it is there again after a restart. */
export class ChatView extends ItemView {
  session: string | undefined
  proposal: Proposal | undefined
  #draw = () => {}

  constructor(
    leaf: WorkspaceLeaf,
    private readonly plugin: NotewrightPlugin,
  ) {
    super(leaf)
  }

  override getViewType(): string {
    return chatViewType
  }
  override getDisplayText(): string {
    return 'Notewright chat'
  }
  override getIcon(): string {
    return 'message-square'
  }
  override getState(): Record<string, unknown> {
    return { ...super.getState(), ...(this.session !== undefined && { session: this.session }) }
  }
  override async setState(state: unknown, result: Parameters<ItemView['setState']>[1]): Promise<void> {
    const { session } = (state ?? {}) as { session?: unknown }
    if (typeof session === 'string') this.show(session)
    await super.setState(state, result)
  }

  override async onOpen(): Promise<void> {
    this.contentEl.addClass('nw', 'notewright-pane')
    this.registerDomEvent(this.contentEl, 'dragover', (event) => {
      if (draggedNotes(this.app).length > 0) event.preventDefault()
    })
    // Before the field, which takes the text that comes along.
    this.registerDomEvent(this.contentEl, 'drop', (event) => this.#takeNotes(event), { capture: true })
    // The content moves to the new window, but its scroll position is lost.
    this.register(this.contentEl.onWindowMigrated(() => this.redraw()))
    this.addAction('plus', 'New chat', () => this.show(undefined))
    this.session ??= this.plugin.lastSession()
    const { mountChat } = await import('./chat/chat-pane.js')
    this.#draw = mountChat(this.contentEl, this, this.plugin)
  }
  override async onClose(): Promise<void> {
    const { drawPanel } = await import('./draw-panel.js')
    drawPanel(this.contentEl, this.app, null)
  }

  #takeNotes(event: DragEvent): void {
    const notes = draggedNotes(this.app)
    if (notes.length === 0) return
    event.preventDefault()
    event.stopPropagation()
    this.propose({ text: notes.map((note) => `@[[${note}]] `).join(''), isAdded: true })
  }

  show(session: string | undefined): void {
    this.session = session
    this.plugin.rememberSession(session)
    this.redraw()
  }

  redraw(): void {
    this.#draw()
  }

  /** Puts something into the field; nothing is sent. */
  propose(proposal: Proposal): void {
    this.proposal = proposal
    this.redraw()
  }
}
