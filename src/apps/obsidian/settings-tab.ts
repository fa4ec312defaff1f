import { type App, PluginSettingTab, type SettingDefinitionItem } from 'obsidian'
import type { NotewrightPlugin } from './plugin.js'
import type { SettingsPage } from './settings/settings-page.js'

/** The plugin's settings. What they are is known once the rest of the plugin is loaded, which does not wait for this. */
export class NotewrightSettingTab extends PluginSettingTab {
  override icon = 'message-square'
  #page: SettingsPage | undefined
  #isLoading = false
  /** What it shows may have changed while nobody looked. */
  #isStale = true

  constructor(
    app: App,
    private readonly notewright: NotewrightPlugin,
  ) {
    super(app, notewright)
  }

  override getSettingDefinitions(): SettingDefinitionItem[] {
    if (this.#page === undefined) void this.#load()
    // Only for somebody who looks, and that is known once it is drawn.
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

  /** The vault was opened anew. */
  forget(): void {
    this.#page = undefined
    this.#isStale = true
  }

  /** Not while Obsidian waits for its plugins. */
  async #load(): Promise<void> {
    if (this.#isLoading || !this.app.workspace.layoutReady) return
    this.#isLoading = true
    try {
      const [{ openSettingsPage }, opened] = await Promise.all([
        import('./settings/settings-page.js'),
        this.notewright.opened(),
      ])
      this.#page = openSettingsPage(this.notewright, opened, () => this.#redraw())
      this.update()
    } catch {
      // Why the vault cannot be opened has been told; the next look tries again.
    } finally {
      this.#isLoading = false
    }
  }

  /** Not under the hands of somebody who types, and not over what was refused and is not mended yet. */
  #redraw(): void {
    const { activeElement } = this.containerEl.doc
    const isTyping = activeElement?.matches('textarea, input[type="text"]') && this.containerEl.contains(activeElement)
    const busy = isTyping ? activeElement : this.containerEl.querySelector('[aria-invalid="true"]')
    // Where they go from one field to the next, not yet.
    if (busy) busy.addEventListener('blur', () => window.setTimeout(() => this.#redraw()), { once: true })
    else this.update()
  }

  #refresh(): void {
    if (!this.#isStale || !this.containerEl.isConnected) return
    this.#isStale = false
    void this.#page?.refresh()
  }
}
