import { enabledTools } from '../../core/tools/index.js'
import type { NotewrightPlugin } from './plugin.js'
import { changesToUndo } from './undo-modal.js'

/** Answers one question without asking the user; calls that need approval are denied. */
export async function askOnce(plugin: NotewrightPlugin, prompt: string, model?: string): Promise<string> {
  const { vault } = await plugin.opened()
  const session = await vault.openSession({ keep: false, canAsk: false, consent: 'read-only', ...(model && { model }) })
  try {
    for await (const event of session.ask(prompt)) {
      if (event.type !== 'run-end') continue
      return event.failure === undefined ? event.text : `error: ${event.failure.text}`
    }
    return ''
  } finally {
    await session.close()
  }
}

/** Tools that are enabled or always available. */
export async function listOfferedTools(plugin: NotewrightPlugin): Promise<string> {
  const { registry, settings } = (await plugin.opened()).vault
  const on = enabledTools(settings.tools.enabled, registry)
  const offered = registry.all().filter(({ tool }) => tool.alwaysOn || on.has(tool.name))
  const lines = offered.map(({ tool }) => `${tool.name}  ${tool.title}`)
  const off = 'AI tool calling is off. Only answers without a language model use these tools.'
  return [...(settings.tools.calling ? [] : [off, '']), ...lines].join('\n')
}

/** Undoes one change, by default the last. Does nothing if notes were edited in the same place since. */
export async function undoOnce(plugin: NotewrightPlugin, id: string | undefined): Promise<string> {
  const { notebook } = (await plugin.opened()).vault
  const [wanted] = id ? [id] : await changesToUndo(notebook)
  if (wanted === undefined) return 'There is nothing to undo.'
  const { title, changes } = await notebook.apply(await notebook.planUndo({ id: wanted }))
  const lines = changes.map(({ kind, path, to }) => `${kind}  ${path}${to === undefined ? '' : ` to ${to}`}`)
  return [title, ...lines].join('\n')
}
