import { useEffect, useState } from 'preact/hooks'
import type { SearchAnswer, SearchHit } from '../../../../core/index/index.js'
import { visibleText } from '../../../../core/text/index.js'
import { DrawnIcon, relevantHits, useHost } from '../../../../ui/index.js'
import { postJson } from '../ask-server.js'

/** Nothing is searched while the user types, and nothing for a few words. */
const pauseMs = 700
const fewestWords = 4

/** Notes related to what is being written. The text is searched in this vault's index and goes to no model. */
export function DraftRelated({ text, except }: { text: string; except: readonly string[] }) {
  const { openNote } = useHost()
  const [hits, setHits] = useState<readonly SearchHit[]>([])
  const isLongEnough = (text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0) >= fewestWords

  useEffect(() => {
    if (!isLongEnough) {
      setHits([])
      return
    }
    let isLate = false
    const timer = setTimeout(() => {
      postJson<SearchAnswer>('related', { text: text.slice(-4000), except }).then(
        (answer) => isLate || setHits(relevantHits(answer)),
        // Only a hint: without the server there is none.
        () => isLate || setHits([]),
      )
    }, pauseMs)
    return () => {
      isLate = true
      clearTimeout(timer)
    }
  }, [text, except.join('\n'), isLongEnough])

  if (hits.length === 0) return null
  return (
    <section class="page-related" aria-label="Related to what you write">
      <span class="nw-facts-line">Related</span>
      {hits.map(({ path, title, lines }) => (
        <button
          type="button"
          class="nw-chip"
          key={path}
          title={visibleText(path).text}
          onClick={() => openNote(path, { lines })}
        >
          <DrawnIcon name="note" />
          <span class="nw-cut">{visibleText(title).text}</span>
        </button>
      ))}
    </section>
  )
}
