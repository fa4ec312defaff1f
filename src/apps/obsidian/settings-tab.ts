import { type App, PluginSettingTab, type SettingDefinitionItem } from 'obsidian'
import type { NotewrightPlugin } from './plugin.js'
import type { SettingsPage } from './settings/settings-page.js'

/** The plugin's settings tab. Its content is loaded with the rest of the plugin, which does not wait for it. */
export class NotewrightSettingTab extends PluginSettingTab {
  override icon = 'message-square'
  #page: SettingsPage | undefined
  #isLoading = false
  /** The settings may have changed while the tab was hidden. */
  #isStale = true

  constructor(
    app: App,
    private readonly notewright: NotewrightPlugin,
  ) {
    super(app, notewright)
  }

  override getSettingDefinitions(): SettingDefinitionItem[] {
    if (this.#page === undefined) void this.#load()
    // Refreshed only when visible, which is known after drawing.
    else if (this.#isStale) window.setTimeout(() => this.#refresh())
    return this.#page?.definitions() ?? [{ name: 'Opening your notes…' }]
  }
  override getControlValue(key: string): unknown {
    return this.#page?.value(key)
  }
  override async setControlValue(key: string, value: unknown): Promise<void> {
    await this.#page?.change(key, value)
  }

  override hide(): void {
    super.hide()
    this.#isStale = true
  }

  /** The vault was opened again. */
  forget(): void {
    this.#page = undefined
    this.#isStale = true
  }

  /** Not before Obsidian's layout is ready. */
  async #load(): Promise<void> {
    if (this.#isLoading || !this.app.workspace.layoutReady) return
    this.#isLoading = true
    try {
      const [{ openSettingsPage }, opened] = await Promise.all([
        import('./settings/settings-page.js'),
        this.notewright.opened(),
      ])
      this.#page = openSettingsPage(this.notewright, opened, () => this.updateWhenIdle())
      this.update()
    } catch {
      // The error was shown when the vault was opened; the next call tries again.
    } finally {
      this.#isLoading = false
    }
  }

  /** Redraws the page, but not while the user types in a field, and not over a rejected value. */
  updateWhenIdle(): void {
    const { activeElement } = this.containerEl.doc
    const isTyping =
      activeElement?.matches('textarea, input[type="text"], input[type="number"]') &&
      this.containerEl.contains(activeElement)
    const busy = isTyping ? activeElement : this.containerEl.querySelector('[aria-invalid="true"]')
    // Do not redraw while focus moves between fields.
    if (busy) busy.addEventListener('blur', () => window.setTimeout(() => this.updateWhenIdle()), { once: true })
    else this.update()
  }

  #refresh(): void {
    if (!this.#isStale || !this.containerEl.isConnected) return
    this.#isStale = false
    void this.#page?.refresh()
  }
}
