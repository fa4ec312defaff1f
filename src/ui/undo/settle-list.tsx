import { useId, useState } from 'preact/hooks'
import { count, visibleText } from '../../core/text/index.js'
import type { Settled, SettledPlace, UndoConflict } from '../../core/vault/index.js'
import { ReplacedLines } from '../approval/index.js'

const edited: Record<Settled, string> = {
  'keep-mine': 'Keep what was written since',
  'take-back': 'Take that back too',
}
/** Of what somebody has removed since. */
const gone: Record<Settled, string> = { 'keep-mine': 'Leave it away', 'take-back': 'Bring it back' }

/** Places that were edited since: what stands there, what would stand there, and whose lines it shall be, one by one. */
export function SettleList({
  conflicts,
  onSettle,
}: {
  conflicts: readonly UndoConflict[]
  onSettle: (places: SettledPlace[]) => void
}) {
  const [chosen, setChosen] = useState<Record<number, Settled>>({})
  const left = conflicts.filter((_, at) => chosen[at] === undefined).length
  const settle = () => onSettle(conflicts.map(({ path, line }, at) => ({ path, line, settled: chosen[at] })))
  const all = (settled: Settled) => setChosen(Object.fromEntries(conflicts.map((_, at) => [at, settled])))
  return (
    <div class="nw-settle">
      {conflicts.length > 1 && (
        <div class="nw-buttons">
          <button type="button" class="nw-quiet" onClick={() => all('keep-mine')}>
            Keep all
          </button>
          <button type="button" class="nw-quiet" onClick={() => all('take-back')}>
            Take all back
          </button>
        </div>
      )}
      {conflicts.map((conflict, at) => (
        <Place
          key={at}
          conflict={conflict}
          chosen={chosen[at]}
          choose={(settled) => setChosen({ ...chosen, [at]: settled })}
        />
      ))}
      <div class="nw-buttons">
        <button type="button" class="mod-cta" disabled={left > 0} onClick={settle}>
          Show what that does
        </button>
        {left > 0 && <span class="nw-remark">{count(left, 'place')} to decide</span>}
      </div>
    </div>
  )
}

function Place({
  conflict: { path, line, why, scope, mine, earlier },
  chosen,
  choose,
}: {
  conflict: UndoConflict
  chosen: Settled | undefined
  choose: (settled: Settled) => void
}) {
  const name = useId()
  const ways = mine.length === 0 ? gone : edited
  return (
    <fieldset class="nw-settle-place">
      <legend>
        <strong>{visibleText(path).text}</strong>
        {scope === 'lines' && `, line ${line},`} {visibleText(why).text}
      </legend>
      <div role="group" class="nw-diff nw-scroll" aria-label={`Now and before, in ${path}`} tabIndex={0}>
        <ReplacedLines removed={numbered(mine, line)} added={numbered(earlier, line)} />
      </div>
      {(Object.keys(ways) as Settled[]).map((way) => (
        <label class="nw-check" key={way}>
          <input type="radio" name={name} checked={chosen === way} onChange={() => choose(way)} /> {ways[way]}
        </label>
      ))}
    </fieldset>
  )
}

const numbered = (lines: readonly string[], first: number) =>
  lines.map((text, at) => ({ number: first + at, text: text.replace(/\n$/, '') }))
