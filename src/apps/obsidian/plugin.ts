import { type Editor, type MarkdownFileInfo, type MarkdownView, Notice, Plugin, type TFile } from 'obsidian'
import type { PluginSettings } from '../../hosts/obsidian/index.js'
import { ChatView, chatViewType } from './chat-view.js'
import { addCliHandlers } from './cli-handlers.js'
import { nameOf } from './dragged-notes.js'
import { failureOf, noticeOf } from './failure-of.js'
import type { OpenPlugin } from './open-plugin.js'
import { ActivityPane, activityPaneType, RelatedPane, relatedPaneType, SearchPane, searchPaneType } from './panes.js'
import { readSettings } from './plugin-data.js'
import { NotewrightSettingTab } from './settings-tab.js'

/** The plugin as Obsidian knows it. What is heavy is loaded when it is first used: the app waits for every plugin. */
export class NotewrightPlugin extends Plugin {
  override settings: PluginSettings = readSettings(undefined)
  #opened: Promise<OpenPlugin> | undefined
  /** How often the vault was opened: what is drawn of an earlier time is drawn anew. */
  openings = 0
  #tab: NotewrightSettingTab | undefined
  /** Ends answers that are on their way into notes. */
  #inNotes = new AbortController()

  /** Registers what there is. Nothing is read, indexed or sent before Obsidian has shown itself. */
  override async onload(): Promise<void> {
    this.settings = readSettings(await this.loadData())
    this.registerView(chatViewType, (leaf) => new ChatView(leaf, this))
    this.registerView(activityPaneType, (leaf) => new ActivityPane(leaf, this))
    this.registerView(searchPaneType, (leaf) => new SearchPane(leaf, this))
    this.registerView(relatedPaneType, (leaf) => new RelatedPane(leaf, this))
    this.registerHoverLinkSource('notewright', { display: 'Notewright', defaultMod: true })
    this.addRibbonIcon('message-square', 'Open chat', () => void this.openChat())
    this.#tab = new NotewrightSettingTab(this.app, this)
    this.addSettingTab(this.#tab)
    this.#addCommands()
    addCliHandlers(this)
    this.app.workspace.onLayoutReady(() => void this.#start())
  }

  override onunload(): void {
    void this.#close()
  }

  override async onExternalSettingsChange(): Promise<void> {
    await this.#use(readSettings(await this.loadData()))
    this.#tab?.update()
  }

  async saveSettings(settings: PluginSettings): Promise<void> {
    // What is drawn or changed meanwhile goes on from these.
    this.settings = settings
    await this.saveData(settings)
    await this.#use(settings)
  }

  /** The vault with its journal mended and its index under way. Opened once. */
  opened(): Promise<OpenPlugin> {
    this.#opened ??= import('./open-plugin.js').then(({ openPlugin }) => openPlugin(this))
    return this.#opened
  }

  /** One line for the person; `0` keeps it until it is clicked. */
  tell(text: string, ms?: 0): void {
    new Notice(text, ms)
  }

  /** What goes on, for whoever looks for it: names of tools, never words of notes. */
  debug(line: string): void {
    if (this.settings.debug) console.debug(`[Notewright] ${line}`)
  }

  async openChat(asked?: { text: string; selection?: string }): Promise<void> {
    const view = await this.#reveal(chatViewType)
    if (asked !== undefined && view instanceof ChatView) view.propose(asked)
  }

  /** The conversation that was shown last, also before a restart. */
  lastSession(): string | undefined {
    const known: unknown = this.app.loadLocalStorage('notewright-session')
    return typeof known === 'string' ? known : undefined
  }
  rememberSession(session: string | undefined): void {
    this.app.saveLocalStorage('notewright-session', session ?? null)
  }

  /** Notes that an answer is being written into, so that a start after a crash can name them. */
  rememberAnswering(path: string, isGoingOn: boolean): void {
    const others = this.#answering().filter((known) => known !== path)
    const now = isGoingOn ? [...others, path] : others
    this.app.saveLocalStorage('notewright-answering', now.length > 0 ? now : null)
  }
  #answering(): string[] {
    const known: unknown = this.app.loadLocalStorage('notewright-answering')
    return Array.isArray(known) ? known.filter((path) => typeof path === 'string') : []
  }
  #mentionBrokenAnswers(): void {
    for (const path of this.#answering()) {
      this.rememberAnswering(path, false)
      this.tell(`The answer in ${path} broke off when Obsidian was closed. What was written until then stays.`, 0)
    }
  }

  /** Shows what would be taken back: these changes, or the last one. */
  async undo(ids?: readonly string[]): Promise<void> {
    const { vault } = await this.opened()
    const { UndoModal, lastChange } = await import('./undo-modal.js')
    const wanted = ids ?? (await lastChange(vault.notebook))
    if (wanted.length === 0) return this.tell('There is nothing to undo.')
    new UndoModal(this.app, vault.notebook, wanted, (text) => this.tell(text)).open()
  }

  /** Whether a pane shows this conversation at the moment. */
  isShown(session: string): boolean {
    return this.#chats().some((view) => view.session === session && view.containerEl.isShown())
  }

  #chats(): ChatView[] {
    return this.app.workspace
      .getLeavesOfType(chatViewType)
      .flatMap(({ view }) => (view instanceof ChatView ? view : []))
  }

  async #start(): Promise<void> {
    this.#mentionBrokenAnswers()
    try {
      await this.opened()
      this.#tab?.update()
    } catch (error) {
      this.tell(`Notewright could not be started: ${noticeOf(failureOf(error))}`)
    }
  }

  async #reveal(type: string) {
    const { workspace } = this.app
    const [known] = workspace.getLeavesOfType(type)
    const leaf = known ?? workspace.getRightLeaf(false)
    if (leaf === null) return undefined
    if (known === undefined) await leaf.setViewState({ type, active: true })
    await workspace.revealLeaf(leaf)
    return leaf.view
  }

  #addCommands(): void {
    const ask = (editor: Editor, info: MarkdownView | MarkdownFileInfo) => {
      const selection = editor.getSelection()
      const about = info.file === null ? '' : `About [[${nameOf(info.file, this.app)}]]: `
      void this.openChat(selection ? { text: '', selection } : { text: about })
    }
    this.addCommand({ id: 'open-chat', name: 'Open chat', callback: () => void this.openChat() })
    this.addCommand({ id: 'ask-about-note', name: 'Ask about this note or selection', editorCallback: ask })
    this.addCommand({
      id: 'chat-in-note',
      name: 'Chat in this note',
      editorCallback: (editor, { file }) => void (file && this.#inNote('chat', editor, file)),
    })
    this.addCommand({
      id: 'infer-title',
      name: 'Infer title',
      editorCallback: (editor, { file }) => void (file && this.#inNote('title', editor, file)),
    })
    this.addCommand({ id: 'open-activity', name: 'Open activity', callback: () => void this.#reveal(activityPaneType) })
    this.addCommand({ id: 'search-notes', name: 'Search notes', callback: () => void this.#reveal(searchPaneType) })
    this.addCommand({
      id: 'related-notes',
      name: 'Show related notes',
      callback: () => void this.#reveal(relatedPaneType),
    })
    this.addCommand({ id: 'undo-last-change', name: 'Undo last change', callback: () => void this.undo() })
    this.addCommand({ id: 'stop', name: 'Stop answering', callback: () => void this.#stop() })
  }

  async #inNote(what: 'chat' | 'title', editor: Editor, file: TFile): Promise<void> {
    const { signal } = this.#inNotes
    try {
      if (what === 'chat') await (await import('./in-note/chat-in-note.js')).chatInNote(this, editor, file, signal)
      else await (await import('./in-note/infer-title.js')).inferTitle(this, file, editor.getValue(), signal)
    } catch (error) {
      this.tell(noticeOf(failureOf(signal.aborted ? signal.reason : error)))
    }
  }

  async #stop(): Promise<void> {
    this.#inNotes.abort(new Error('Stopped.'))
    this.#inNotes = new AbortController()
    const { atWork } = await this.opened()
    for (const { session } of this.#chats()) if (session !== undefined) atWork.stop(session)
  }

  async #close(): Promise<void> {
    this.#inNotes.abort(new Error('Notewright was closed while it answered.'))
    const opened = await this.#opened?.catch(() => undefined)
    this.#opened = undefined
    await opened?.close()
  }

  async #use(settings: PluginSettings): Promise<void> {
    this.settings = settings
    const opened = await this.#opened?.catch(() => undefined)
    // What may be read is part of everything that is open.
    if (opened?.use(settings) === 'open again') {
      await this.#close()
      this.openings++
      await this.opened()
      this.#tab?.forget()
      this.#tab?.update()
    }
    for (const view of this.#chats()) view.redraw()
  }
}
