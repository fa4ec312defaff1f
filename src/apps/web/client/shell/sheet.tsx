import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/** A dialog over the page. Escape and a press outside of it close it; then the focus is where it was. */
export function Sheet({
  label,
  class: name,
  onClose,
  children,
}: {
  label: string
  class: string
  onClose(): void
  children: ComponentChildren
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const own = dialog.current!
    const before = document.activeElement
    own.showModal()
    return () => {
      // While it is open, nothing behind it can have the focus.
      own.close()
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    <dialog
      class={`page-sheet ${name}`}
      aria-label={label}
      ref={dialog}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onPointerDown={(event) => event.target === dialog.current && onClose()}
    >
      <div class="page-sheet-body">{children}</div>
    </dialog>
  )
}

/** Asks before something that cannot be undone. Cancel comes first and gets the focus, so that Enter alone deletes nothing. */
export function ConfirmSheet({
  title,
  action,
  onClose,
  onConfirm,
  children,
}: {
  title: string
  action: string
  onClose(): void
  onConfirm(): void
  children: ComponentChildren
}) {
  return (
    <Sheet label={title} class="page-confirm" onClose={onClose}>
      <h2>{title}</h2>
      <p>{children}</p>
      <div class="nw-buttons">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          class="nw-btn-danger"
          onClick={() => {
            onClose()
            onConfirm()
          }}
        >
          {action}
        </button>
      </div>
    </Sheet>
  )
}
