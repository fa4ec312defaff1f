import type { NotewrightPlugin } from '../plugin.js'
import { lastChange } from '../undo-modal.js'

/** Takes back one change, the last unless it is named. Where notes were edited since in the same place, nothing is done. */
export async function undoOnce(plugin: NotewrightPlugin, id: string | undefined): Promise<string> {
  const { notebook } = (await plugin.opened()).vault
  const [wanted] = id ? [id] : await lastChange(notebook)
  if (wanted === undefined) return 'There is nothing to undo.'
  const { title, changes } = await notebook.apply(await notebook.planUndo({ id: wanted }))
  const lines = changes.map(({ kind, path, to }) => `${kind}  ${path}${to === undefined ? '' : ` to ${to}`}`)
  return [title, ...lines].join('\n')
}
