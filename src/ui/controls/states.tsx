import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { visibleText } from '../../core/text/index.js'
import { type IconName, useHost } from '../ui-host.js'

/** Shown where there is nothing yet: what will be here, and how to begin. */
export function EmptyState({
  icon,
  title,
  children,
  actions,
}: {
  icon: IconName
  title: string
  children?: ComponentChildren
  actions?: ComponentChildren
}) {
  const { Icon } = useHost()
  return (
    <div class="nw-empty">
      <Icon name={icon} />
      <b>{visibleText(title).text}</b>
      {children && <p>{children}</p>}
      {actions && <div class="nw-buttons">{actions}</div>}
    </div>
  )
}

/** Lines in place of text that is being loaded. */
export function Skeleton({ label, lines = 4 }: { label: string; lines?: number }) {
  return (
    <div role="status" aria-label={label}>
      {Array.from({ length: lines }, (_, at) => (
        <span class="nw-skeleton" key={at} />
      ))}
    </div>
  )
}

const toastMs = 10_000

/** One line about something that was done. It closes by itself; nothing can be done here alone. */
export function Toast({ text, onClose }: { text: string; onClose: () => void }) {
  const { Icon } = useHost()
  const close = useRef(onClose)
  close.current = onClose
  useEffect(() => {
    const timer = setTimeout(() => close.current(), toastMs)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <div class="nw-toast">
      <span class="nw-grow">{visibleText(text).text}</span>
      <button type="button" class="nw-btn-icon nw-btn-small" aria-label="Close this message" onClick={onClose}>
        <Icon name="close" />
      </button>
    </div>
  )
}
