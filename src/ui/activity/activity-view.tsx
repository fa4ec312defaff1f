import { useState } from 'preact/hooks'
import { bytes, count, duration, moment, visibleJson, visibleText } from '../../core/text/index.js'
import type { LoggedCall, LoggedRequest } from '../../core/tools/index.js'
import type { HistoryEntry } from '../../core/vault/index.js'
import { Fold } from '../fold.js'
import { useHost } from '../ui-host.js'
import { type Decisions, UndecidedNotes } from '../undo/undecided-notes.js'
import { type TimelineTurn, timelineOf } from './timeline.js'

export interface Activity {
  /** Oldest first, as the requests to models are. */
  calls: readonly LoggedCall[]
  requests: readonly LoggedRequest[]
  /** Newest first. */
  changes: readonly HistoryEntry[]
  /** Those that were cut off and have notes to decide about, however old they are. */
  undecided: readonly HistoryEntry[]
}

type Filter = 'all' | 'failed' | 'sent' | 'changes'

const filters: Record<Filter, string> = {
  all: 'Everything',
  failed: 'Not done',
  sent: 'Sent something',
  changes: 'Changes of notes',
}

export interface ActivityActions {
  onLookAgain: () => void
  onUndo: (changeSet: string) => void
  onReview: (changeSet: string) => void
}

/** What was called, what was written and what left the machine, the newest first, with the way back. */
export function ActivityView({
  activity,
  planDecision,
  ...actions
}: { activity: Activity } & ActivityActions & Pick<Decisions, 'planDecision'>) {
  const [filter, setFilter] = useState<Filter>('all')
  const [words, setWords] = useState('')
  const wanted = words.trim().toLowerCase()
  const holds = (value: unknown) => JSON.stringify(value).toLowerCase().includes(wanted)
  const timeline = timelineOf({
    calls: filter === 'changes' ? [] : activity.calls.filter((call) => passes(call, filter) && holds(call)),
    requests: filter === 'changes' || filter === 'failed' ? [] : activity.requests.filter(holds),
    changes: filter === 'failed' || filter === 'sent' ? [] : activity.changes.filter(holds),
  })
  return (
    <div class="nw-activity">
      {activity.undecided.map((entry) => (
        <UndecidedNotes key={entry.id} entry={entry} planDecision={planDecision} onDecided={actions.onLookAgain} />
      ))}
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
        <button type="button" class="nw-quiet" onClick={actions.onLookAgain}>
          Look again
        </button>
      </div>
      {timeline.length === 0 && (
        <p class="nw-remark">
          Nothing here. Every call of a tool, every change of a note and every request to a model is kept.
        </p>
      )}
      <ol class="nw-timeline">
        {timeline.map((entry) => (
          <li key={entry.key}>
            {'change' in entry ? <Change entry={entry.change} {...actions} /> : <Turn turn={entry} {...actions} />}
          </li>
        ))}
      </ol>
    </div>
  )
}

function passes({ error, decision, egress, result }: LoggedCall, filter: Filter): boolean {
  if (filter === 'failed')
    return error !== undefined || result === undefined || decision === 'denied' || decision === 'refused'
  return filter !== 'sent' || (egress !== undefined && egress.length > 0)
}

function Turn({ turn, ...actions }: { turn: TimelineTurn } & ActivityActions) {
  const { time, calls, requests } = turn
  return (
    <>
      <p class="nw-remark">
        {moment(time)}, {count(calls.length, 'call')}
        {requests.length > 0 && `, ${count(requests.length, 'request')} to a model`}
      </p>
      {requests.length > 0 && <Requests requests={requests} />}
      {calls.map((call) => (
        <CallLine key={call.id} call={call} turn={calls} {...actions} />
      ))}
    </>
  )
}

/** What went to models, and of which notes. */
function Requests({ requests }: { requests: readonly LoggedRequest[] }) {
  const size = requests.reduce((sum, request) => sum + request.bytes, 0)
  const hosts = [...new Set(requests.map(({ destination }) => destination))]
  return (
    <Fold class="nw-row" label={visibleText(`Sent ${bytes(size)} to ${hosts.join(', ')}`).text}>
      {() => (
        <ul>
          {requests.map(({ time, provider, model, bytes: sent, notes, files = [] }, at) => (
            <li key={at}>
              {visibleText(`${moment(Date.parse(time))}: ${bytes(sent)} for ${provider}/${model}`).text}
              {notes.length + files.length > 0 && visibleText(`, with ${[...notes, ...files].join(', ')}`).text}
            </li>
          ))}
        </ul>
      )}
    </Fold>
  )
}

function CallLine({ call, turn, onReview }: { call: LoggedCall; turn: readonly LoggedCall[] } & ActivityActions) {
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
              <dd>
                {visibleText(change_set).text}{' '}
                <button type="button" onClick={() => onReview(change_set)}>
                  Review
                </button>
              </dd>
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

function Change({
  entry: { id, time, title, state, changes },
  onUndo,
  onReview,
}: { entry: HistoryEntry } & ActivityActions) {
  const { Icon, openNote } = useHost()
  return (
    <>
      <p class="nw-remark">
        {moment(time)}
        {state !== 'applied' && `, ${state.replace('-', ' ')}`}
      </p>
      <p>{visibleText(title).text}</p>
      <p class="nw-choices">
        {[...new Set(changes.map(({ path, to }) => to ?? path))].slice(0, 5).map((path) => (
          <button type="button" class="nw-link" key={path} onClick={() => openNote(path)}>
            {visibleText(path).text}
          </button>
        ))}
        {(state === 'applied' || state === 'partly-undone') && (
          <>
            <button type="button" onClick={() => onReview(id)}>
              Review
            </button>
            <button type="button" onClick={() => onUndo(id)}>
              <Icon name="undo" /> Undo
            </button>
          </>
        )}
      </p>
    </>
  )
}
