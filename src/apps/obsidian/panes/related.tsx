import { useEffect, useState } from 'preact/hooks'
import { visibleText } from '../../../core/text/index.js'
import { notePath } from '../../../core/vault/index.js'
import { FailureBox, useHost } from '../../../ui/index.js'
import { drawPanel } from '../draw-panel.js'
import { failureOf } from '../failure-of.js'
import type { NotewrightPlugin } from '../plugin.js'

export function mountRelated(element: HTMLElement, plugin: NotewrightPlugin): void {
  drawPanel(element, plugin.app, <RelatedPanel plugin={plugin} />)
}

type Related = Awaited<ReturnType<typeof look>>

async function look(plugin: NotewrightPlugin, path: string) {
  const { vault, ready } = await plugin.opened()
  await ready
  return vault.notebook.index.related({ path: notePath(path), includeLinked: true })
}

/** What belongs with the note that is open, with the reasons. It follows the person from note to note. */
function RelatedPanel({ plugin }: { plugin: NotewrightPlugin }) {
  const { workspace } = plugin.app
  const { openNote } = useHost()
  const [path, setPath] = useState(() => workspace.getActiveFile()?.path)
  const [related, setRelated] = useState<Related | undefined>()
  const [trouble, setTrouble] = useState<unknown>()

  useEffect(() => {
    const ref = workspace.on('file-open', (file) => file && setPath(file.path))
    return () => workspace.offref(ref)
  }, [workspace])
  useEffect(() => {
    setTrouble(undefined)
    if (path === undefined) return
    let isLate = false
    look(plugin, path).then(
      (found) => isLate || setRelated(found),
      (error) => isLate || setTrouble(error),
    )
    return () => {
      isLate = true
    }
  }, [path])

  if (path === undefined) return <p class="nw-remark">Open a note to see what belongs with it.</p>
  if (trouble !== undefined)
    return <FailureBox failure={failureOf(trouble)} title="Nothing can be said about this note" />
  if (related === undefined) return <p class="nw-remark">Looking…</p>
  return (
    <section aria-label="Related notes" class="notewright-related">
      <h2>{visibleText(related.path).text}</h2>
      {related.notes.length === 0 && <p class="nw-remark">Nothing in your notes belongs with it.</p>}
      <ul>
        {related.notes.map(({ path: other, title, reasons, isLinked }) => (
          <li key={other}>
            <button type="button" onClick={() => openNote(other)}>
              {visibleText(title).text}
            </button>
            <small>
              {isLinked && 'linked · '}
              {visibleText(reasons.join(' · ')).text}
            </small>
          </li>
        ))}
      </ul>
    </section>
  )
}
