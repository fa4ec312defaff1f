import { useEffect, useState } from 'preact/hooks'
import { useHost } from '../ui-host.js'

const shownMs = 2000

/** Copies a text, and shows for a moment that it was copied. `words`: the label is drawn beside the icon. */
export function CopyButton({ text, label, words = false }: { text: () => string; label: string; words?: boolean }) {
  const { Icon, notify } = useHost()
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), shownMs)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async ({ currentTarget: { ownerDocument } }: { currentTarget: HTMLElement }) => {
    if (await copyText(text(), ownerDocument)) setCopied(true)
    else notify('The browser did not allow copying. Select the text and copy it.')
  }
  return (
    <button
      type="button"
      class={words ? 'nw-btn-plain nw-btn-small' : 'nw-btn-icon nw-btn-plain nw-btn-small'}
      aria-label={isCopied ? 'Copied' : label}
      title={isCopied ? 'Copied' : label}
      onClick={(event) => void copy(event)}
    >
      <Icon name={isCopied ? 'done' : 'copy'} />
      {words && (isCopied ? 'Copied' : 'Copy')}
    </button>
  )
}

/** False if the browser refused, as on an address without encryption. */
async function copyText(text: string, { defaultView }: Document): Promise<boolean> {
  try {
    await defaultView?.navigator.clipboard.writeText(text)
    return defaultView !== null
  } catch {
    return false
  }
}
