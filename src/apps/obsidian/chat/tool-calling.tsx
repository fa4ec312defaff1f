import { visibleText } from '../../../core/text/index.js'
import type { NotewrightPlugin } from '../plugin.js'

/** Whether answers may come from the notes. Without a language model they always do, and nothing is sent. */
export function seesNotes({ settings }: NotewrightPlugin, model: string): boolean {
  return settings.enableToolCalling || model === 'offline'
}

export function enableToolCalling(plugin: NotewrightPlugin): Promise<void> {
  return plugin.saveSettings({ ...plugin.settings, enableToolCalling: true })
}

/** Says what is missing, and what it means to have it. */
export function ToolCallingOff({ model, onEnable }: { model: string; onEnable: () => void }) {
  return (
    <div class="nw-notice notewright-tools-off">
      <p>
        AI tool calling is off, so {visibleText(model).text} answers without your notes. Enabled, it may search and read
        them, and what it reads is sent to its provider. Settings → Notewright → Chat behavior has the switch, too.
      </p>
      <button type="button" onClick={onEnable}>
        Enable AI tool calling
      </button>
    </div>
  )
}
