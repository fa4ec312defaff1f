import { visibleText } from '../core/text/index.js'
import { useHost } from './ui-host.js'

/** Notes by their paths, each of which opens. */
export function NoteLinkList({ paths }: { paths: readonly string[] }) {
  const { openNote, hoverNote } = useHost()
  return (
    <ul>
      {paths.map((path) => (
        <li key={path}>
          <button
            type="button"
            class="nw-link"
            onClick={() => openNote(path)}
            onMouseEnter={(event) => hoverNote?.(path, event)}
          >
            {visibleText(path).text}
          </button>
        </li>
      ))}
    </ul>
  )
}
