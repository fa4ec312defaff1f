import type { App } from './app.js'
import { Component } from './events.js'
import type { SettingTab } from './settings.js'
import type { View, WorkspaceLeaf } from './workspace.js'

export interface Manifest {
  id: string
  name: string
  version: string
  dir: string
}

export interface Command {
  id: string
  name: string
  callback?(): unknown
  checkCallback?(checking: boolean): boolean | undefined
  editorCallback?(editor: unknown, view: unknown): unknown
}

/** Receives the typed flags as texts and returns a text. */
export type CliHandler = (flags: Record<string, string>) => string | Promise<string>

export abstract class Plugin extends Component {
  settings: unknown

  constructor(
    readonly app: App,
    readonly manifest: Manifest,
  ) {
    super()
  }
  addCommand(command: Command): Command {
    const id = `${this.manifest.id}:${command.id}`
    this.app.commands.set(id, command)
    this.register(() => this.app.commands.delete(id))
    return command
  }
  addRibbonIcon(icon: string, title: string, callback: (event: MouseEvent) => unknown): HTMLElement {
    const button = this.app.ribbon.createEl('button', { cls: 'clickable-icon', attr: { 'aria-label': title } })
    button.dataset.icon = icon
    button.addEventListener('click', callback)
    this.register(() => button.remove())
    return button
  }
  addSettingTab(tab: SettingTab): void {
    tab.update()
    this.app.settingTabs.push(tab)
    this.register(() => this.app.settingTabs.splice(this.app.settingTabs.indexOf(tab), 1))
  }
  registerView(type: string, make: (leaf: WorkspaceLeaf) => View): void {
    this.app.workspace.views.set(type, make)
    this.register(() => {
      for (const leaf of this.app.workspace.getLeavesOfType(type)) void leaf.detach()
      this.app.workspace.views.delete(type)
    })
  }
  registerHoverLinkSource(id: string, info: { display: string; defaultMod: boolean }): void {
    this.app.workspace.hoverSources.set(id, info)
    this.register(() => this.app.workspace.hoverSources.delete(id))
  }
  registerCliHandler(command: string, _about: string, _flags: unknown, handler: CliHandler): void {
    if (this.app.cli.has(command)) throw new Error(`The command ${command} is already registered.`)
    this.app.cli.set(command, handler)
    this.register(() => this.app.cli.delete(command))
  }
  async loadData(): Promise<unknown> {
    const file = `${this.manifest.dir}/data.json`
    return (await this.app.vault.adapter.exists(file)) ? JSON.parse(await this.app.vault.adapter.read(file)) : null
  }
  async saveData(data: unknown): Promise<void> {
    await this.app.vault.adapter.write(`${this.manifest.dir}/data.json`, JSON.stringify(data, null, 2))
  }
  onExternalSettingsChange?(): unknown
}
