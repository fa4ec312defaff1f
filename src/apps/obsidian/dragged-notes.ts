import { type App, TFile } from 'obsidian'

/** Notes that are being dragged out of the app's own lists, as a user would name them. */
export function draggedNotes(app: App): string[] {
  // The app keeps the dragged item outside the event; its types do not declare it.
  const { dragManager } = app as unknown as { dragManager?: { draggable?: { file?: unknown; files?: unknown } | null } }
  const { file, files } = dragManager?.draggable ?? {}
  const all: unknown[] = Array.isArray(files) ? files : [file]
  return all.flatMap((one) => (one instanceof TFile ? [shortestName(one, app)] : []))
}

/** By its name alone where only one note has it. */
export function shortestName({ basename, extension, path }: TFile, app: App): string {
  const isOnly = app.vault.getFiles().filter((other) => other.basename === basename).length === 1
  return extension !== 'md' ? path : isOnly ? basename : path.replace(/\.md$/, '')
}
