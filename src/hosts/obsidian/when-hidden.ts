import type { Workspace } from 'obsidian'

/** Tells whether all windows of the app are hidden, now and whenever that changes. Answers what ends it. */
export function whenHidden(workspace: Workspace, tell: (isHidden: boolean) => void): () => void {
  const windows = new Set<Document>()
  const look = () => tell([...windows].every(({ visibilityState }) => visibilityState === 'hidden'))
  const add = (one: Document) => {
    windows.add(one)
    one.addEventListener('visibilitychange', look)
  }
  const drop = (one: Document) => {
    windows.delete(one)
    one.removeEventListener('visibilitychange', look)
  }
  add(document)
  workspace.iterateAllLeaves(({ view }) => add(view.containerEl.ownerDocument))
  const refs = [
    workspace.on('window-open', (_, opened) => {
      add(opened.document)
      look()
    }),
    workspace.on('window-close', (_, closed) => {
      drop(closed.document)
      look()
    }),
  ]
  look()
  return () => {
    for (const ref of refs) workspace.offref(ref)
    for (const one of [...windows]) drop(one)
  }
}
