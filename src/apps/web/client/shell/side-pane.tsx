import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { DrawnIcon } from '../../../../ui/index.js'

/** Beside the conversation on a wide screen, over it on a narrow one. The page closes it on Escape, and the focus returns. */
export function SidePane({
  title,
  onClose,
  children,
}: {
  title: string
  onClose(): void
  children: ComponentChildren
}) {
  const head = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const before = document.activeElement
    head.current?.focus()
    return () => before instanceof HTMLElement && before.isConnected && before.focus()
  }, [title])
  return (
    <aside class="page-side" aria-label={title}>
      <header>
        <h2 tabIndex={-1} ref={head}>
          {title}
        </h2>
        <button type="button" class="nw-btn-icon nw-btn-plain" aria-label="Close" onClick={onClose}>
          <DrawnIcon name="close" />
        </button>
      </header>
      <div class="page-side-body">{children}</div>
    </aside>
  )
}
