import { useMemo, useState } from 'preact/hooks'
import type { Activity } from '../../core/session/index.js'
import { bytes, count, duration, localDateTime, visibleJson, visibleText } from '../../core/text/index.js'
import type { LoggedCall, LoggedRequest } from '../../core/tools/index.js'
import type { HistoryEntry } from '../../core/vault/index.js'
import { EmptyState } from '../controls/states.js'
import { Fold } from '../fold.js'
import { useHost } from '../ui-host.js'
import { type DecisionActions, UndecidedNotesView } from '../undo/undecided-notes.js'
import {
  type ActivityEntry,
  type ActivityFilter,
  type ActivityGroup,
  type ActivityQuestion,
  activityGroups,
} from './activity-groups.js'
import {
  callWords,
  canBeUndone,
  decisionWords,
  iconOf,
  nameOf,
  notesWords,
  outcomeOf,
  requestWords,
  stateWords,
} from './call-words.js'

const filters: Record<ActivityFilter, string> = {
  all: 'All',
  changes: 'Changes',
  reads: 'Reads',
  sent: 'Sent',
  'not-done': 'Not done',
}

interface ActivityActions {
  onLookAgain: () => void
  /** Several are undone newest first; the list is oldest first. */
  onUndo: (changeSets: readonly string[]) => void
  onReview: (changeSets: readonly string[]) => void
  /** Without it, chats are named but not opened. */
  onOpenChat?: (session: string) => void
}

/** Calls, changes and requests by chat and question, newest first, with undo. */
export function ActivityView({
  activity,
  planDecision,
  ...actions
}: { activity: Activity } & ActivityActions & Pick<DecisionActions, 'planDecision'>) {
  const { Icon } = useHost()
  const [filter, setFilter] = useState<ActivityFilter>('all')
  const [words, setWords] = useState('')
  const groups = useMemo(() => activityGroups(activity, filter, words), [activity, filter, words])
  return (
    <div class="nw-activity">
      {activity.undecided.map((entry) => (
        <UndecidedNotesView key={entry.id} entry={entry} planDecision={planDecision} onDecided={actions.onLookAgain} />
      ))}
      <div class="nw-activity-filter">
        <span class="nw-segments" role="group" aria-label="Show">
          {(Object.keys(filters) as ActivityFilter[]).map((name) => (
            <button type="button" key={name} aria-pressed={name === filter} onClick={() => setFilter(name)}>
              {filters[name]}
            </button>
          ))}
        </span>
        <span class="nw-input">
          <Icon name="search" />
          <input
            type="search"
            aria-label="Filter by note or word"
            placeholder="Filter by note or word"
            value={words}
            onInput={(event) => setWords(event.currentTarget.value)}
          />
        </span>
      </div>
      {groups.length === 0 && <NothingShown filter={filter} words={words.trim()} />}
      <div class="nw-timeline">
        {groups.map((group) => (
          <Group key={group.session} group={group} activity={activity} {...actions} />
        ))}
      </div>
      {activity.isCut && groups.length > 0 && <p class="nw-remark">Older entries are not listed here.</p>}
    </div>
  )
}

const nothing: Record<ActivityFilter, string> = {
  all: 'No activity yet',
  changes: 'No changes yet',
  reads: 'No notes read yet',
  sent: 'Nothing was sent',
  'not-done': 'Everything was done',
}

function NothingShown({ filter, words }: { filter: ActivityFilter; words: string }) {
  if (words !== '') return <EmptyState icon="search" title={`Nothing found for “${words}”`} />
  return (
    <EmptyState icon="history" title={nothing[filter]}>
      {filter === 'all' && 'Every step, every change of a note and every request to a model is listed here.'}
    </EmptyState>
  )
}

/** A chat: its title, its questions, and one undo for all its changes. */
function Group({
  group: { session, questions },
  activity,
  ...actions
}: { group: ActivityGroup; activity: Activity } & ActivityActions) {
  const { Icon } = useHost()
  const kept = activity.chats[session]
  const isKept = kept !== undefined
  const shown =
    session === '' ? 'Outside of chats' : isKept ? visibleText(kept || 'Chat').text : 'A chat that was not saved'
  const undoable =
    session === ''
      ? []
      : activity.changes
          .filter((change) => change.session === session && canBeUndone(change) && change.undoes.length === 0)
          .map(({ id }) => id)
          .reverse()
  return (
    <div class="nw-activity-chat">
      <header>
        <h3 class="nw-grow nw-cut">
          {isKept && actions.onOpenChat ? (
            <button type="button" class="nw-link" onClick={() => actions.onOpenChat?.(session)}>
              {shown}
            </button>
          ) : (
            shown
          )}
        </h3>
        {undoable.length > 1 && (
          <button type="button" class="nw-btn-small" onClick={() => actions.onUndo(undoable)}>
            <Icon name="undo" /> Undo all {undoable.length} changes
          </button>
        )}
      </header>
      <ol>
        {questions.map((question) => (
          <li key={question.key}>
            <Question question={question} activity={activity} {...actions} />
          </li>
        ))}
      </ol>
    </div>
  )
}

function Question({
  question: { turn, time, requests, entries },
  activity,
  ...actions
}: { question: ActivityQuestion; activity: Activity } & ActivityActions) {
  const asked = turn === undefined ? undefined : activity.questions[turn]
  const calls = entries.flatMap(({ call }) => call ?? [])
  return (
    <>
      {asked !== undefined && (
        <p class="nw-activity-asked">
          <span class="nw-grow nw-cut">“{visibleText(asked).text}”</span>
          <time dateTime={new Date(time).toISOString()}>{timeWords(time)}</time>
        </p>
      )}
      <div class="nw-rows">
        {requests.length > 0 && <Requests requests={requests} />}
        {entries.map((entry) => (
          <Entry key={entry.key} entry={entry} calls={calls} activity={activity} {...actions} />
        ))}
      </div>
    </>
  )
}

/** Requests to models, and the notes in them. */
function Requests({ requests }: { requests: readonly LoggedRequest[] }) {
  const { Icon } = useHost()
  return (
    <div class="nw-event">
      <Fold
        label={
          <>
            <span class="nw-tile">
              <Icon name="up" />
            </span>
            <span>
              <span class="nw-event-what">Sent to the model</span>
              <span class="nw-facts-line">{requestWords(requests)}</span>
            </span>
          </>
        }
      >
        {() => (
          <ul class="nw-event-list">
            {requests.map(({ time, provider, model, bytes: sent, notes, files = [] }, at) => (
              <li key={at}>
                {timeWords(Date.parse(time))}: {bytes(sent)} for {visibleText(`${provider}/${model}`).text}
                {notes.length + files.length > 0 && visibleText(`, with ${[...notes, ...files].join(', ')}`).text}
              </li>
            ))}
          </ul>
        )}
      </Fold>
    </div>
  )
}

/** One step, with the change it made, or a change on its own. */
function Entry({
  entry: { time, call, change },
  calls,
  activity,
  onUndo,
  onReview,
}: { entry: ActivityEntry; calls: readonly LoggedCall[]; activity: Activity } & ActivityActions) {
  const { Icon } = useHost()
  const what = call ? callWords(call, activity.tools[call.tool_name]) : visibleText(change?.title ?? '').text
  const isGone = change?.state === 'undone' || change?.state === 'rolled-back'
  const facts = [
    change && stateWords(change),
    change && (call === undefined || change.changes.length > 1) ? notesWords(change) : call && outcomeWords(call),
    call && sentWords(call),
  ].filter(Boolean)
  return (
    <div class={isGone ? 'nw-event nw-event-undone' : 'nw-event'}>
      <Fold
        label={
          <>
            <span class="nw-tile">
              <Icon name={call ? iconOf(call) : change?.undoes.length ? 'undo' : 'edit'} />
            </span>
            <span>
              <span class="nw-event-what">{what}</span>
              <span class="nw-facts-line">{facts.join(' · ')}</span>
            </span>
          </>
        }
      >
        {() => (
          <>
            {change && <ChangedNotes change={change} onReview={onReview} />}
            {call && <CallDetails call={call} calls={calls} />}
          </>
        )}
      </Fold>
      <span class="nw-event-end">
        {change && canBeUndone(change) && (
          <button
            type="button"
            class="nw-btn-small"
            aria-label={`${change.undoes.length > 0 ? 'Redo' : 'Undo'}: ${what}`}
            onClick={() => onUndo([change.id])}
          >
            <Icon name={change.undoes.length > 0 ? 'retry' : 'undo'} /> {change.undoes.length > 0 ? 'Redo' : 'Undo'}
          </button>
        )}
        <time dateTime={new Date(time).toISOString()}>{timeWords(time)}</time>
      </span>
    </div>
  )
}

function outcomeWords(call: LoggedCall): string {
  const outcome = outcomeOf(call)
  if (outcome === 'interrupted') return 'The outcome is unknown'
  const text = call.error?.message ?? call.result ?? ''
  const line = visibleText(text.split('\n', 1)[0] ?? '').text
  return line.length > 160 ? `${line.slice(0, 160)}…` : line
}

const sentWords = ({ egress = [] }: LoggedCall): string =>
  egress.length === 0
    ? ''
    : visibleText(
        `Sent ${bytes(egress.reduce((sum, one) => sum + one.bytes, 0))} to ${[...new Set(egress.map(({ destination }) => destination))].join(', ')}`,
      ).text

const mostLinks = 12

/** Links to the changed notes, and the way to their diff. */
function ChangedNotes({
  change: { id, changes },
  onReview,
}: { change: HistoryEntry } & Pick<ActivityActions, 'onReview'>) {
  const { openNote } = useHost()
  const paths = [...new Set(changes.map(({ path, to }) => to ?? path))]
  return (
    <p class="nw-choices">
      {paths.slice(0, mostLinks).map((path) => (
        <button type="button" class="nw-link" key={path} title={visibleText(path).text} onClick={() => openNote(path)}>
          {visibleText(nameOf(path)).text}
        </button>
      ))}
      {paths.length > mostLinks && <span>and {count(paths.length - mostLinks, 'more note', 'more notes')}</span>}
      <button type="button" class="nw-btn-small" onClick={() => onReview([id])}>
        Show changes
      </button>
    </p>
  )
}

function CallDetails({ call, calls }: { call: LoggedCall; calls: readonly LoggedCall[] }) {
  const { tool_name, duration_ms, egress = [] } = call
  return (
    <>
      <dl class="nw-fact-list">
        <dt>Approval</dt>
        <dd>{decisionWords(call)}</dd>
        {egress.length > 0 && (
          <>
            <dt>Sent</dt>
            <dd>
              {egress
                .map(({ destination, bytes: size }) => `${bytes(size)} to ${visibleText(destination).text}`)
                .join(', ')}
            </dd>
          </>
        )}
        {duration_ms !== undefined && (
          <>
            <dt>Took</dt>
            <dd>
              {duration(duration_ms)}
              <Waterfall call={call} calls={calls} />
            </dd>
          </>
        )}
      </dl>
      <Fold label="Details">
        {() => (
          <dl class="nw-fact-list">
            <dt>Tool</dt>
            <dd>{visibleText(tool_name).text}</dd>
            <dt>Arguments</dt>
            <dd>
              <div class="nw-scroll nw-source" role="group" aria-label={`Arguments of ${tool_name}`} tabIndex={0}>
                {visibleJson(JSON.stringify(call.arguments, null, 1) ?? '')}
              </div>
            </dd>
          </dl>
        )}
      </Fold>
    </>
  )
}

/** When a call ran among those of its question, for those who see it; the words beside it say how long it took. */
function Waterfall({ call, calls }: { call: LoggedCall; calls: readonly LoggedCall[] }) {
  const startOf = ({ timestamp }: LoggedCall) => Date.parse(timestamp)
  const start = Math.min(...calls.map(startOf))
  const end = Math.max(...calls.map((one) => startOf(one) + (one.duration_ms ?? 0)), start + 1)
  const share = (ms: number) => (100 * ms) / (end - start)
  return (
    <svg class="nw-waterfall" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      <rect x={share(startOf(call) - start)} y={0} width={Math.max(1, share(call.duration_ms ?? 0))} height={4} />
    </svg>
  )
}

/** The time of day for today, otherwise with its date. */
function timeWords(ms: number): string {
  const words = localDateTime(ms)
  return words.slice(0, 10) === localDateTime(Date.now()).slice(0, 10) ? words.slice(11) : words
}
