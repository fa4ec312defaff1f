import { visibleText } from '../../core/text/index.js'
import type { SearchHit } from '../../core/vault-index/index.js'

/** The parts that add up to the place of a hit. */
const parts = {
  passageWords: 'Words of this passage',
  noteWords: 'Words of the whole note',
  passageMeaning: 'Meaning of this passage',
  noteMeaning: 'Meaning of the whole note',
  name: 'Its name',
}

/** What each part of the score brought, as words and as a bar, and which words they were. */
export function WhyBars({ why }: { why: NonNullable<SearchHit['why']> }) {
  const bars = Object.entries(parts).flatMap(([name, words]) =>
    typeof why[name] === 'number' ? [{ words, value: why[name] }] : [],
  )
  const most = Math.max(...bars.map(({ value }) => value), 1e-9)
  const found = foundWords(why)
  return (
    <>
      <dl class="nw-why">
        {bars.map(({ words, value }) => (
          <div key={words}>
            <dt>{words}</dt>
            <dd>
              <meter min={0} max={1} value={Math.max(0, value) / most} aria-label={words} /> {value.toFixed(2)}
            </dd>
          </div>
        ))}
      </dl>
      {found && <p class="nw-remark">{visibleText(found).text}</p>}
    </>
  )
}

function foundWords({ terms, inNames }: NonNullable<SearchHit['why']>): string {
  const times = Object.entries((terms ?? {}) as Record<string, number>).map(([word, number]) => `${word} × ${number}`)
  const names = (inNames ?? []) as string[]
  return [
    times.length > 0 && `In the note: ${times.join(', ')}.`,
    names.length > 0 && `In its names: ${names.join(', ')}.`,
  ]
    .filter(Boolean)
    .join(' ')
}
