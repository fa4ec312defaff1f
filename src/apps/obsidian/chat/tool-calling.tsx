import { visibleText } from '../../../core/text/index.js'
import type { NotewrightPlugin } from '../plugin.js'

/** True if answers may use the notes. Without a language model they always do, and nothing is sent. */
export function seesNotes({ settings }: NotewrightPlugin, model: string): boolean {
  return settings.enableToolCalling || model === 'offline'
}

export function enableToolCalling(plugin: NotewrightPlugin): Promise<void> {
  return plugin.saveSettings({ ...plugin.settings, enableToolCalling: true })
}

/** Explains that tool calling is off, and the effect of enabling it. */
export function ToolCallingOff({ model, onEnable }: { model: string; onEnable: () => void }) {
  return (
    <div class="nw-notice notewright-tools-off">
      <p>
        AI tool calling is off, so {visibleText(model).text} answers without your notes. If you turn it on, the model
        can search and read them, and the notes it reads are sent to its provider. You can also change this under
        Settings → Notewright → Chat behavior.
      </p>
      <button type="button" onClick={onEnable}>
        Enable AI tool calling
      </button>
    </div>
  )
}
