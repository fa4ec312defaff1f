import type { App } from './app.js'
import { makeActive, migrate } from './dom-helpers.js'
import { Editor, merged } from './editor.js'
import { Component, Events } from './events.js'
import type { TFile } from './vault.js'

type MakeView = (leaf: WorkspaceLeaf) => View

export abstract class View extends Component {
  readonly app: App
  readonly containerEl: HTMLElement
  icon = ''

  constructor(readonly leaf: WorkspaceLeaf) {
    super()
    this.app = leaf.app
    this.containerEl = leaf.containerEl.createDiv({ cls: 'workspace-leaf-content' })
  }
  abstract getViewType(): string
  abstract getDisplayText(): string
  getIcon(): string {
    return this.icon
  }
  getState(): Record<string, unknown> {
    return {}
  }
  async setState(_state: unknown): Promise<void> {}
  async onOpen(): Promise<void> {}
  async onClose(): Promise<void> {}
}

export abstract class ItemView extends View {
  readonly contentEl: HTMLElement
  readonly #actions: HTMLElement

  constructor(leaf: WorkspaceLeaf) {
    super(leaf)
    const header = this.containerEl.createDiv({ cls: 'view-header' })
    this.#actions = header.createDiv({ cls: 'view-actions' })
    this.contentEl = this.containerEl.createDiv({ cls: 'view-content' })
  }
  addAction(icon: string, title: string, callback: (event: MouseEvent) => unknown): HTMLElement {
    const action = this.#actions.createEl('button', { cls: 'clickable-icon', attr: { 'aria-label': title } })
    action.dataset.icon = icon
    action.addEventListener('click', callback)
    return action
  }
}

/** A note in an editor that saves two seconds after the last change, when it is told to, and when it is left. */
export class MarkdownView extends ItemView {
  file: TFile | null = null
  readonly editor: Editor
  #timer = 0
  /** The file's text when it was last read or written here. */
  #saved = ''

  constructor(leaf: WorkspaceLeaf) {
    super(leaf)
    this.editor = new Editor(() => this.requestSave())
    this.contentEl.addClass('markdown-source-view')
    this.contentEl.append(this.editor.cm.dom)
  }
  getViewType(): string {
    return 'markdown'
  }
  getDisplayText(): string {
    return this.file?.basename ?? ''
  }
  requestSave = (): void => {
    window.clearTimeout(this.#timer)
    this.#timer = window.setTimeout(() => void this.save(), 2000)
  }
  async save(): Promise<void> {
    window.clearTimeout(this.#timer)
    if (this.file === null) return
    this.#saved = this.editor.getValue()
    await this.app.vault.modify(this.file, this.#saved)
  }
  async open(file: TFile): Promise<void> {
    await this.#leave()
    this.file = file
    this.editor.load(await this.app.vault.read(file))
    this.#saved = this.editor.getValue()
  }
  override async onClose(): Promise<void> {
    await this.#leave()
    this.file = null
    this.editor.cm.destroy()
  }
  async #leave(): Promise<void> {
    if (this.file !== null && this.editor.getValue() !== this.#saved) await this.save()
    window.clearTimeout(this.#timer)
  }
  /** Puts an external change into the editor. */
  async follow(file: TFile): Promise<void> {
    if (file !== this.file) return
    const text = (await this.app.vault.read(file)).replace(/\r\n?/g, '\n')
    if (file !== this.file || text === this.#saved) return
    const own = this.editor.getValue()
    const next = own === this.#saved ? text : merged(this.#saved, own, text)
    this.#saved = text
    if (next !== own) this.editor.setValue(next)
  }
}

export class WorkspaceLeaf extends Events {
  readonly containerEl: HTMLElement
  view!: View
  isDeferred = false
  #deferred: { type: string } | undefined

  constructor(
    readonly app: App,
    readonly side: 'main' | 'right',
  ) {
    super()
    this.containerEl = app.workspace.sides[side].createDiv({ cls: 'workspace-leaf' })
  }
  async setViewState({ type, active }: { type: string; active?: boolean }): Promise<void> {
    const make = this.app.workspace.views.get(type)
    if (make === undefined) throw new Error(`There is no view of the type ${type}.`)
    await this.close()
    this.view = make(this)
    this.view.load()
    await this.view.onOpen()
    if (active) this.app.workspace.setActiveLeaf(this)
  }
  getViewState() {
    return { type: this.#deferred?.type ?? this.view.getViewType() }
  }
  async loadIfDeferred(): Promise<void> {
    if (this.#deferred === undefined) return
    const { type } = this.#deferred
    this.#deferred = undefined
    this.isDeferred = false
    await this.setViewState({ type })
  }
  /** As the app restores it: nothing of the plugin runs until somebody looks. */
  defer(type: string): void {
    this.#deferred = { type }
    this.isDeferred = true
    this.view = new DeferredView(this, type)
  }
  async close(): Promise<void> {
    if (this.view === undefined) return
    await this.view.onClose()
    this.view.unload()
    this.view.containerEl.remove()
  }
  async detach(): Promise<void> {
    await this.close()
    this.containerEl.remove()
    this.app.workspace.forget(this)
  }
}

class DeferredView extends View {
  constructor(
    leaf: WorkspaceLeaf,
    private readonly type: string,
  ) {
    super(leaf)
  }
  getViewType(): string {
    return this.type
  }
  getDisplayText(): string {
    return ''
  }
}

export class Workspace extends Events {
  readonly views = new Map<string, MakeView>()
  /** Sources whose `hover-link` events the page preview handles. */
  readonly hoverSources = new Map<string, { display: string; defaultMod: boolean }>()
  readonly sides: Record<'main' | 'right', HTMLElement>
  readonly #leaves: WorkspaceLeaf[] = []
  readonly #whenReady: (() => unknown)[] = []
  #active: WorkspaceLeaf | undefined
  layoutReady = false

  constructor(private readonly app: App) {
    super()
    const workspace = document.body.createEl('main', { cls: 'workspace' })
    workspace.createEl('h1', { cls: 'app-title', text: 'Obsidian' })
    this.sides = {
      main: workspace.createDiv({ cls: 'workspace-split mod-root' }),
      right: workspace.createDiv({ cls: 'workspace-split mod-right-split' }),
    }
    this.views.set('markdown', (leaf) => new MarkdownView(leaf))
  }
  onLayoutReady(callback: () => unknown): void {
    if (this.layoutReady) callback()
    else this.#whenReady.push(callback)
  }
  makeReady(): void {
    this.layoutReady = true
    for (const callback of this.#whenReady.splice(0)) callback()
  }
  #newLeaf(side: 'main' | 'right'): WorkspaceLeaf {
    const leaf = new WorkspaceLeaf(this.app, side)
    this.#leaves.push(leaf)
    return leaf
  }
  getLeaf(_newLeaf?: unknown): WorkspaceLeaf {
    return this.#newLeaf('main')
  }
  getRightLeaf(_split: boolean): WorkspaceLeaf {
    return this.#newLeaf('right')
  }
  getLeavesOfType(type: string): WorkspaceLeaf[] {
    return this.#leaves.filter((leaf) => leaf.view?.getViewType() === type)
  }
  iterateAllLeaves(see: (leaf: WorkspaceLeaf) => unknown): void {
    for (const leaf of this.#leaves) if (leaf.view !== undefined) see(leaf)
  }
  async revealLeaf(leaf: WorkspaceLeaf): Promise<void> {
    await leaf.loadIfDeferred()
    leaf.containerEl.removeAttribute('hidden')
  }
  setActiveLeaf(leaf: WorkspaceLeaf): void {
    this.#active = leaf
    this.trigger('active-leaf-change', leaf)
    this.trigger('file-open', this.getActiveFile())
  }
  getActiveViewOfType<T>(type: new (leaf: WorkspaceLeaf) => T): T | null {
    const view = this.#active?.view
    return view instanceof type ? view : null
  }
  getActiveFile(): TFile | null {
    const shown = [this.#active, ...[...this.#leaves].reverse()]
    const view = shown.map((leaf) => leaf?.view).find((one) => one instanceof MarkdownView)
    return view instanceof MarkdownView ? view.file : null
  }
  async openLinkText(link: string, _source: string, _newLeaf?: unknown): Promise<void> {
    const path = link.split('#')[0]
    const named = this.app.vault.getFiles().find(({ basename }) => basename === path)
    const file = this.app.vault.getFileByPath(path) ?? this.app.vault.getFileByPath(`${path}.md`) ?? named
    if (file === null || file === undefined) return
    const leaf = this.#newLeaf('main')
    await leaf.setViewState({ type: 'markdown', active: true })
    await (leaf.view as MarkdownView).open(file)
    this.trigger('file-open', file)
  }
  /** In a window of its own, which has the app's styles and theme, and no code. */
  moveLeafToPopout(leaf: WorkspaceLeaf): Window {
    const opened = window.open('', '_blank', 'width=600,height=700')!
    const { document: other } = opened
    other.title = 'Obsidian'
    other.documentElement.lang = 'en'
    other.body.className = document.body.className
    for (const { cssRules } of document.styleSheets) {
      const style = other.head.appendChild(other.createElement('style'))
      style.textContent = [...cssRules].map(({ cssText }) => cssText).join('\n')
    }
    const workspace = other.body.appendChild(other.createElement('main'))
    workspace.className = 'workspace'
    const title = workspace.appendChild(other.createElement('h1'))
    title.className = 'app-title'
    title.textContent = 'Obsidian'
    for (const win of [window, opened]) win.addEventListener('focus', () => makeActive(win))
    makeActive(opened)
    const split = workspace.appendChild(other.createElement('div'))
    split.className = 'workspace-split mod-right-split'
    migrate(leaf.containerEl, split)
    this.trigger('window-open', {}, opened)
    return opened
  }
  /** Back to the main window, which the other one closes after. */
  moveLeafBack(leaf: WorkspaceLeaf): void {
    const { win } = leaf.containerEl as HTMLElement & { win: Window }
    migrate(leaf.containerEl, this.sides[leaf.side])
    makeActive(window)
    this.trigger('window-close', {}, win)
    win.close()
  }
  forget(leaf: WorkspaceLeaf): void {
    const at = this.#leaves.indexOf(leaf)
    if (at >= 0) this.#leaves.splice(at, 1)
    if (this.#active === leaf) this.#active = undefined
  }
}
