import { useState } from 'preact/hooks'
import { bytes, count, duration, moment, visibleJson, visibleText } from '../../core/text/index.js'
import type { LoggedCall } from '../../core/tools/index.js'
import type { HistoryEntry } from '../../core/vault/index.js'
import { Fold } from '../fold.js'
import { useHost } from '../ui-host.js'

export interface Activity {
  /** Oldest first. */
  calls: readonly LoggedCall[]
  /** Newest first. */
  changes: readonly HistoryEntry[]
}

type Filter = 'all' | 'failed' | 'sent' | 'changes'

const filters: Record<Filter, string> = {
  all: 'Everything',
  failed: 'Not done',
  sent: 'Sent something',
  changes: 'Changes of notes',
}

/** What was called, what was written and what left the machine, the newest first, with the way back. */
export function ActivityView({ activity, onUndo }: { activity: Activity; onUndo(changeSet: string): void }) {
  const [filter, setFilter] = useState<Filter>('all')
  const [words, setWords] = useState('')
  const wanted = words.trim().toLowerCase()
  const holds = (value: unknown) => JSON.stringify(value).toLowerCase().includes(wanted)
  const calls = activity.calls.filter((call) => passes(call, filter) && holds(call))
  const changes = activity.changes.filter((entry) => holds(entry))
  return (
    <div class="nw-activity">
      <div class="nw-choices">
        <select aria-label="Show" value={filter} onChange={(event) => setFilter(event.currentTarget.value as Filter)}>
          {Object.entries(filters).map(([name, about]) => (
            <option key={name} value={name}>
              {about}
            </option>
          ))}
        </select>
        <input
          type="search"
          aria-label="Search the activity"
          placeholder="Tool, note, words…"
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
      </div>
      {filter === 'changes' ? <Changes changes={changes} onUndo={onUndo} /> : <Turns calls={calls} />}
    </div>
  )
}

function passes({ error, decision, egress, result }: LoggedCall, filter: Filter): boolean {
  if (filter === 'failed')
    return error !== undefined || result === undefined || decision === 'denied' || decision === 'refused'
  return filter !== 'sent' || (egress !== undefined && egress.length > 0)
}

function Turns({ calls }: { calls: readonly LoggedCall[] }) {
  if (calls.length === 0)
    return <p class="nw-remark">Nothing here. Every call of a tool is kept, with what became of it.</p>
  const turns = new Map<string, LoggedCall[]>()
  for (const call of calls) {
    const key = call.turn ?? call.id
    turns.set(key, [...(turns.get(key) ?? []), call])
  }
  return (
    <ol class="nw-timeline">
      {[...turns].reverse().map(([key, own]) => (
        <li key={key}>
          <p class="nw-remark">
            {moment(Date.parse(own[0].timestamp))}, {count(own.length, 'call')}
          </p>
          {own.map((call) => (
            <CallLine key={call.id} call={call} turn={own} />
          ))}
        </li>
      ))}
    </ol>
  )
}

function CallLine({ call, turn }: { call: LoggedCall; turn: readonly LoggedCall[] }) {
  const { Icon } = useHost()
  const { tool_name, decision, rule, result, duration_ms, error, egress = [], change_set } = call
  const icon = error
    ? 'failed'
    : decision === 'denied' || decision === 'refused'
      ? 'refused'
      : result
        ? 'done'
        : 'warning'
  const outcome = error?.message ?? result ?? 'never ended'
  return (
    <Fold
      class="nw-row"
      label={
        <>
          <Icon name={icon} /> <span class="nw-row-what">{visibleText(tool_name).text}</span>{' '}
          <span class="nw-row-outcome">
            {visibleText(outcome).text.slice(0, 200)}, {decision}
            {duration_ms !== undefined && `, ${duration(duration_ms)}`}
          </span>
          <Waterfall call={call} turn={turn} />
        </>
      }
    >
      {() => (
        <dl class="nw-arguments">
          <dt>Decided by</dt>
          <dd>{visibleText(rule).text}</dd>
          <dt>Arguments</dt>
          <dd class="nw-scroll nw-source">{visibleJson(JSON.stringify(call.arguments, null, 1) ?? '')}</dd>
          {egress.map(({ destination, bytes: size, sha256 }) => (
            <dd key={sha256}>
              Sent {bytes(size)} to {visibleText(destination).text}
            </dd>
          ))}
          {change_set && (
            <>
              <dt>Change set</dt>
              <dd>{visibleText(change_set).text}</dd>
            </>
          )}
        </dl>
      )}
    </Fold>
  )
}

/** When in its turn a call ran, and how long, for those who see it; the words beside it say the same. */
function Waterfall({ call, turn }: { call: LoggedCall; turn: readonly LoggedCall[] }) {
  const startOf = ({ timestamp }: LoggedCall) => Date.parse(timestamp)
  const start = Math.min(...turn.map(startOf))
  const end = Math.max(...turn.map((one) => startOf(one) + (one.duration_ms ?? 0)), start + 1)
  const share = (ms: number) => (100 * ms) / (end - start)
  return (
    <svg class="nw-waterfall" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      <rect x={share(startOf(call) - start)} y={0} width={Math.max(1, share(call.duration_ms ?? 0))} height={4} />
    </svg>
  )
}

function Changes({ changes, onUndo }: { changes: readonly HistoryEntry[]; onUndo(changeSet: string): void }) {
  const { Icon, openNote } = useHost()
  if (changes.length === 0) return <p class="nw-remark">Nothing has been changed in this vault yet.</p>
  return (
    <ol class="nw-timeline">
      {changes.map(({ id, time, title, state, changes: steps }) => (
        <li key={id}>
          <p class="nw-remark">
            {moment(time)}
            {state !== 'applied' && `, ${state.replace('-', ' ')}`}
          </p>
          <p>{visibleText(title).text}</p>
          <p class="nw-choices">
            {[...new Set(steps.map(({ path, to }) => to ?? path))].slice(0, 5).map((path) => (
              <button type="button" class="nw-link" key={path} onClick={() => openNote(path)}>
                {visibleText(path).text}
              </button>
            ))}
            {(state === 'applied' || state === 'partly-undone') && (
              <button type="button" onClick={() => onUndo(id)}>
                <Icon name="undo" /> Undo
              </button>
            )}
          </p>
        </li>
      ))}
    </ol>
  )
}
