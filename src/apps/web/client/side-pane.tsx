import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { DrawnIcon } from '../../../ui/index.js'

/** Beside the conversation on a wide screen, over it on a narrow one. Escape closes it, and the keyboard goes back. */
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
    <aside
      class="page-side"
      aria-label={title}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return
        event.preventDefault()
        onClose()
      }}
    >
      <header>
        <h2 tabIndex={-1} ref={head}>
          {title}
        </h2>
        <button type="button" class="nw-quiet" aria-label="Close" onClick={onClose}>
          <DrawnIcon name="close" />
        </button>
      </header>
      <div class="page-side-body">{children}</div>
    </aside>
  )
}
