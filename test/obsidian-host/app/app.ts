import type { Disk } from './disk.js'
import { Events } from './events.js'
import type { CliHandler, Command } from './plugin.js'
import type { SettingTab } from './settings.js'
import { type TAbstractFile, TFile, Vault } from './vault.js'
import { Workspace } from './workspace.js'

/** The app around one vault. */
export class App {
  readonly vault: Vault
  readonly workspace: Workspace
  readonly fileManager: FileManager
  readonly metadataCache = new Events()
  readonly secretStorage: SecretStorage
  readonly commands = new Map<string, Command>()
  readonly cli = new Map<string, CliHandler>()
  /** The item being dragged from the app's lists. Not part of the public types. */
  readonly dragManager: { draggable: unknown } = { draggable: null }
  readonly settingTabs: SettingTab[] = []
  readonly ribbon: HTMLElement

  constructor(
    private readonly key: string,
    disk: Disk,
    configDir?: string,
  ) {
    this.vault = new Vault(disk, key, configDir)
    this.ribbon = document.body.createDiv({ cls: 'workspace-ribbon' })
    this.workspace = new Workspace(this)
    this.fileManager = new FileManager(this)
    this.secretStorage = new SecretStorage(key)
    this.vault.on('modify', (file: TAbstractFile) => {
      this.workspace.iterateAllLeaves(({ view }) => {
        if (file instanceof TFile && 'follow' in view) void (view.follow as (one: TFile) => Promise<void>)(file)
      })
    })
  }
  isDarkMode(): boolean {
    return document.body.classList.contains('theme-dark')
  }
  loadLocalStorage(name: string): unknown {
    const text = localStorage.getItem(`${this.key}-${name}`)
    return text === null ? null : JSON.parse(text)
  }
  saveLocalStorage(name: string, value: unknown): void {
    if (value === null) localStorage.removeItem(`${this.key}-${name}`)
    else localStorage.setItem(`${this.key}-${name}`, JSON.stringify(value))
  }
}

/** Deletes as the user has set it. Left out of the settings is what is set to its default, the system's trash. */
class FileManager {
  constructor(private readonly app: App) {}

  async trashFile(file: TAbstractFile): Promise<void> {
    const { adapter } = this.app.vault
    const option = await this.#option()
    if (option === 'none') await this.app.vault.delete(file)
    else if (option === 'local') await adapter.trashLocal(file.path)
    else await adapter.trashSystem(file.path)
  }
  async #option(): Promise<unknown> {
    const file = `${this.app.vault.configDir}/app.json`
    try {
      return JSON.parse(await this.app.vault.adapter.read(file)).trashOption
    } catch {
      return undefined
    }
  }
}

/** Secrets by name, in what the browser keeps for this vault. */
class SecretStorage extends Events {
  constructor(private readonly key: string) {
    super()
  }
  #name(id: string): string {
    if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(id)) throw new Error('Invalid secret ID')
    return `${this.key}-secret-${id}`
  }
  setSecret(id: string, secret: string): void {
    localStorage.setItem(this.#name(id), secret)
  }
  getSecret(id: string): string | null {
    return localStorage.getItem(this.#name(id))
  }
  listSecrets(): string[] {
    const start = `${this.key}-secret-`
    return Object.keys(localStorage)
      .filter((name) => name.startsWith(start))
      .map((name) => name.slice(start.length))
  }
}
