import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { visibleText } from '../../core/text/index.js'
import { useHost } from '../ui-host.js'

/** A source of an answer, as its links show it. */
export interface ShownCitation {
  number: number
  open: () => void
}

/** The sources of an answer by the targets of its links. A text that is no answer has none. */
export const CitationContext = createContext<ReadonlyMap<string, ShownCitation>>(new Map())

/** The number of a source where the answer cites it. */
export function CitationMark({ target, citation: { number, open } }: { target: string; citation: ShownCitation }) {
  const { hoverNote } = useHost()
  const name = visibleText(target).text
  return (
    <button
      type="button"
      class="nw-cite"
      aria-label={`Source ${number}: ${name}`}
      title={name}
      onClick={open}
      onMouseEnter={(event) => hoverNote?.(target, event)}
    >
      {number}
    </button>
  )
}

/** The citation of a link; undefined where the link is none. */
export const useCitation = (target: string): ShownCitation | undefined => useContext(CitationContext).get(target)
