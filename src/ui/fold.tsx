import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { useHost } from './ui-host.js'

/** A line that opens and closes what stands below it. Born closed; nobody but the person opens or closes it. */
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
  /** How it is born. */
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
