import { App } from './app.js'
import { desktopRequire } from './desktop-node.js'
import { diskOf } from './disk.js'
import { installDomHelpers } from './dom-helpers.js'
import { foldingDisk } from './folding-disk.js'
import { memoryDisk } from './memory-disk.js'
import { said } from './modal.js'
import { obsidian, Platform } from './obsidian.js'
import type { Manifest, Plugin } from './plugin.js'
import { MarkdownView } from './workspace.js'

installDomHelpers()

interface OpenOptions {
  phone?: boolean
  /** Address of the vault's files, if they are not in a folder. */
  filesAt?: string
  configDir?: string
  /** Its disk does not tell capitals apart. */
  foldsNames?: boolean
  /** The app has Node, as on a desktop, and Node has this environment. */
  environment?: Record<string, string>
}

/** The app as a test drives it. */
class Host {
  app!: App
  plugin: Plugin | undefined
  readonly obsidian = obsidian
  readonly refused: string[] = []
  readonly notices = said

  /** Opens a vault: its files are known before any plugin is loaded. */
  async open(vault: string, options: OpenOptions = {}): Promise<void> {
    if (options.phone) {
      Object.assign(Platform, {
        isDesktop: false,
        isDesktopApp: false,
        isMobile: true,
        isMobileApp: true,
        isPhone: true,
      })
    }
    const { filesAt, configDir, environment, foldsNames } = options
    if (environment !== undefined) Object.assign(window, { require: await desktopRequire(environment) })
    const disk = filesAt === undefined ? diskOf(vault) : memoryDisk(await (await fetch(filesAt)).json())
    this.app = new App(vault, foldsNames ? foldingDisk(disk) : disk, configDir)
    await this.app.vault.reconcile()
  }

  /** Runs a plugin's file as the app does: a function of `require`, `module` and `exports`. */
  async enable(id: string): Promise<number> {
    const dir = `${this.app.vault.configDir}/plugins/${id}`
    const { adapter } = this.app.vault
    const [code, manifest, style] = await Promise.all(
      ['main.js', 'manifest.json', 'styles.css'].map((name) => adapter.read(`${dir}/${name}`)),
    )
    document.head.createEl('style', { text: style, attr: { 'data-plugin': id } })
    const module = { exports: {} as { default: new (app: App, manifest: Manifest) => Plugin } }
    const require = (name: string) => {
      if (name === 'obsidian') return obsidian
      this.refused.push(name)
      throw new Error(`Cannot find module '${name}'`)
    }
    new Function('require', 'module', 'exports', `${code}\n//# sourceURL=plugin:${id}`)(require, module, module.exports)
    this.plugin = new module.exports.default(this.app, { ...JSON.parse(manifest), dir })
    const loaded = performance.now()
    this.plugin.isLoaded = true
    await this.plugin.onload()
    const done = performance.now()
    this.app.workspace.makeReady()
    return done - loaded
  }

  disable(): void {
    this.plugin?.unload()
    this.plugin = undefined
    document.head.querySelector('style[data-plugin]')?.remove()
  }

  async run(command: string): Promise<void> {
    const found = this.app.commands.get(command)
    if (found === undefined) throw new Error(`There is no command ${command}.`)
    if (found.checkCallback !== undefined) {
      if (found.checkCallback(true)) found.checkCallback(false)
      else throw new Error(`The command ${command} is not available.`)
    } else if (found.editorCallback !== undefined) {
      const view = this.app.workspace.getActiveViewOfType(MarkdownView)
      if (view === null) throw new Error(`The command ${command} needs an open note.`)
      await found.editorCallback(view.editor, view)
    } else await found.callback?.()
  }

  openSettings(): void {
    const [tab] = this.app.settingTabs
    document.body.append(tab.containerEl)
    tab.update()
  }
  closeSettings(): void {
    for (const tab of this.app.settingTabs) {
      tab.hide()
      tab.containerEl.remove()
    }
  }
}

;(globalThis as unknown as { host: Host }).host = new Host()
