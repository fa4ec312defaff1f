import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { useHost } from './ui-host.js'

/** A line that expands and collapses the content below it. Collapsed at first; only the user toggles it. */
export function Fold({
  label,
  children,
  class: name = '',
  open = false,
}: {
  label: ComponentChildren
  /** Drawn only while it is open. */
  children: () => ComponentChildren
  class?: string
  /** Initial state. */
  open?: boolean
}) {
  const { Icon } = useHost()
  const [isOpen, setOpen] = useState(open)
  const id = useId()
  return (
    <div class={`nw-fold ${name}`}>
      <button
        type="button"
        class="nw-fold-label"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="fold" />
        <span>{label}</span>
      </button>
      {isOpen && (
        <div class="nw-fold-body" id={id}>
          {children()}
        </div>
      )}
    </div>
  )
}
