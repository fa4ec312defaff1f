import { type Editor, type MarkdownFileInfo, type MarkdownView, Notice, Plugin, type TFile } from 'obsidian'
import { isRecord } from '../../core/is-record.js'
import type { AgreedSettings, PluginSettings } from '../../hosts/obsidian/index.js'
import { ChatView, chatViewType } from './chat-view.js'
import { addCliHandlers } from './cli-handlers.js'
import { shortestName } from './dragged-notes.js'
import { failureOf, noticeOf } from './failure-of.js'
import type { OpenPlugin } from './open-plugin.js'
import {
  ActivityItemView,
  activityPaneType,
  RelatedItemView,
  relatedPaneType,
  SearchItemView,
  searchPaneType,
} from './panes.js'
import { readPluginSettings } from './plugin-data.js'
import { NotewrightSettingTab } from './settings-tab.js'

/** The plugin class for Obsidian. Heavy modules load on first use, since plugins delay the start of the app. */
export class NotewrightPlugin extends Plugin {
  override settings: PluginSettings = readPluginSettings(undefined)
  /** Settings that were set or agreed to on this device. Stored outside the vault, which may be synced. */
  agreed: AgreedSettings | undefined
  #opened: Promise<OpenPlugin> | undefined
  #saving: Promise<void> = Promise.resolve()
  /** Number of times the vault was opened: views of an earlier opening are redrawn. */
  openings = 0
  #tab: NotewrightSettingTab | undefined
  /** Ends answers that are on their way into notes. */
  #inNotes = new AbortController()

  /** Registers views and commands. Nothing is read, indexed or sent before Obsidian's layout is ready. */
  override async onload(): Promise<void> {
    this.settings = readPluginSettings(await this.loadData())
    const agreed: unknown = this.app.loadLocalStorage('notewright-agreed')
    if (isRecord(agreed)) this.agreed = agreed
    this.registerView(chatViewType, (leaf) => new ChatView(leaf, this))
    this.registerView(activityPaneType, (leaf) => new ActivityItemView(leaf, this))
    this.registerView(searchPaneType, (leaf) => new SearchItemView(leaf, this))
    this.registerView(relatedPaneType, (leaf) => new RelatedItemView(leaf, this))
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
    await this.#saving
    const before = this.settings
    const read = readPluginSettings(await this.loadData())
    // A change made here during the read is newer than the file.
    if (this.settings === before) this.settings = read
    await this.#takeUpSettings()
    this.#tab?.updateWhenIdle()
  }

  /** Stores settings the user has changed here, which counts as agreeing to them. */
  async saveSettings(settings: PluginSettings): Promise<void> {
    const before = this.settings
    // Later redraws and changes use these settings.
    this.settings = settings
    // Writes are serial, each with the newest settings: a slow one never restores outdated values.
    const saved = this.#saving.then(() => this.saveData(this.settings))
    this.#saving = saved.catch(() => undefined)
    await saved
    const { agreedAfter } = await import('../../hosts/obsidian/index.js')
    this.agreeTo(agreedAfter(this.agreed ?? {}, before, settings))
    await this.#takeUpSettings()
  }

  /** Puts all settings in force on this device, including synced ones. */
  async agree(): Promise<void> {
    const { partsToAgree } = await import('../../hosts/obsidian/index.js')
    this.agreeTo(partsToAgree(this.settings))
    await this.#takeUpSettings()
    this.#tab?.updateWhenIdle()
  }
  agreeTo(agreed: AgreedSettings): void {
    this.agreed = agreed
    this.app.saveLocalStorage('notewright-agreed', agreed)
  }

  /** The vault after recovery, with its index being updated. Opened once. */
  opened(): Promise<OpenPlugin> {
    this.#opened ??= import('./open-plugin.js').then(({ openPlugin }) => openPlugin(this))
    return this.#opened
  }

  /** Shows one line to the user; `0` keeps it until it is clicked. */
  tell(text: string, ms?: 0): void {
    new Notice(text, ms)
  }

  /** Debug output: tool names, never text from notes. */
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
      this.tell(`The answer in ${path} was interrupted when Obsidian closed. The text already written is kept.`, 0)
    }
  }

  /** Previews undoing these changes, or the last one. */
  async undo(ids?: readonly string[]): Promise<void> {
    const { vault } = await this.opened()
    const { UndoModal, changesToUndo } = await import('./undo-modal.js')
    const wanted = ids ?? (await changesToUndo(vault.notebook))
    if (wanted.length === 0) return this.tell('There is nothing to undo.')
    new UndoModal(this.app, vault.notebook, wanted, (text) => this.tell(text)).open()
  }

  /** True if a pane shows this conversation at the moment. */
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
      this.#tab?.updateWhenIdle()
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
      const about = info.file === null ? '' : `About [[${shortestName(info.file, this.app)}]]: `
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
    const { runningSessions } = await this.opened()
    for (const { session } of this.#chats()) if (session !== undefined) runningSessions.stop(session)
  }

  async #close(): Promise<void> {
    this.#inNotes.abort(new Error('Notewright was closed while it answered.'))
    // A vault that could not be opened has nothing to close.
    const opened = await this.#opened?.catch(() => undefined)
    this.#opened = undefined
    await opened?.close()
  }

  /** Applies the newest settings from the next turn on. */
  async #takeUpSettings(): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined)
    // Exclusions apply to everything that is open, so the vault is reopened.
    if (opened?.use() === 'open again') {
      await this.#close()
      this.openings++
      await this.opened()
      this.#tab?.forget()
      this.#tab?.updateWhenIdle()
    }
    for (const view of this.#chats()) view.redraw()
  }
}
