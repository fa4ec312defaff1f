import type { VNode } from 'preact'
import { useMemo } from 'preact/hooks'
import type { UserAnswer, UserRequest } from '../../core/approval/index.js'
import type { StepUsage } from '../../core/model/index.js'
import { callLabel, stepOutcome, stepsLine, whyNotDone } from '../../core/session/index.js'
import { count, duration, groupDigits, visibleJson, visibleText } from '../../core/text/index.js'
import { ApprovalPart } from '../approval/approval-part.js'
import { Fold } from '../fold.js'
import { NoteLinkList } from '../note-links.js'
import {
  type CallRow,
  type ChangedNotes,
  type Part,
  type Thought,
  type TurnState,
  type WorkEntry,
  whyFound,
} from '../transcript/transcript.js'
import { type IconName, useHost } from '../ui-host.js'
import { CopyButton } from './copy-button.js'
import { FailureBox } from './failure-box.js'
import { type PictureSource, Pictures } from './pictures.js'
import { QuestionView } from './question-view.js'
import { RetryView } from './retry-view.js'
import { CitedAnswer, type CitedSource, SourceList, sourcesOf } from './source-list.js'

/** The user's actions on a conversation. Omitted ones have no button. */
export interface ChatActions {
  answer?: ((panel: UserRequest, answer: UserAnswer) => Promise<string | undefined>) | undefined
  review?: (changeSets: string[]) => void
  undo?: (changeSets: string[]) => void
  /** Asks in the place of a turn: the same again, or edited. The earlier turn is kept as another version. */
  askAgain?: (turn: TurnState, text: string) => void
  /** Shows the branch that has the turn of this id. */
  showBranch?: (turn: string) => void
  /** Continues from here in a new chat. */
  branch?: (turn: TurnState) => void
  /** Stops the running turn. */
  stop?: () => void
  /** Opens the settings of models and keys. */
  openModelSettings?: () => void
  /** Without it, files are only named. */
  pictureOf?: PictureSource
}

/** One question and its results. Redrawn only when it has changed. */
export function TurnView({ turn, actions }: { turn: TurnState; actions: ChatActions }): VNode {
  return useMemo(() => <Turn turn={turn} actions={actions} />, [turn, actions])
}

function Turn({ turn, actions }: { turn: TurnState; actions: ChatActions }) {
  const { asked, parts, ended, citations, changes } = turn
  const sources = useMemo(() => sourcesOf(citations), [citations])
  return (
    <article class="nw-turn" aria-label={asked ? `You asked: ${asked.slice(0, 80)}` : 'Answer'}>
      {asked && <QuestionView turn={turn} actions={actions} />}
      {parts.map((part, at) => (
        <PartView
          key={at}
          part={part}
          turn={turn}
          sources={at === lastWords(parts) ? sources : noSources}
          isLive={ended === undefined && at === parts.length - 1}
          actions={actions}
        />
      ))}
      {ended === undefined && turn.doing && turn.doing !== 'Waiting for you' && (
        <p class="nw-live" aria-hidden="true">
          <span class="nw-spin" />
          <span>{oneLine(turn.doing)}…</span>
        </p>
      )}
      {ended?.reason === 'failed' && ended.failure && (
        <FailureBox failure={ended.failure}>
          <FailureActions turn={turn} actions={actions} />
        </FailureBox>
      )}
      {ended?.reason === 'stopped' && <p class="nw-remark">Stopped. Changes already made are kept.</p>}
      {ended?.reason === 'step-limit' && (
        <p class="nw-remark">Stopped after {ended.steps} steps; the answer is from what was found until then.</p>
      )}
      <SourceList sources={sources} />
      {ended && <ChangedNotesBar changes={changes} onReview={actions.review} onUndo={actions.undo} />}
      {ended && <TurnFoot turn={turn} actions={actions} />}
    </article>
  )
}

/** Kinds of failures that another key or model can fix. */
const fixedInSettings = new Set<unknown>([
  'no-key',
  'key',
  'credit',
  'unknown-model',
  'not-an-api',
  'no-tools',
  'unreachable',
])

function FailureActions({ turn, actions }: { turn: TurnState; actions: ChatActions }) {
  const { Icon } = useHost()
  const { askAgain, openModelSettings } = actions
  const mayRetry = askAgain !== undefined && turn.id !== undefined && turn.asked !== ''
  const isInSettings = openModelSettings !== undefined && fixedInSettings.has(turn.ended?.failure?.data?.kind)
  if (!mayRetry && !isInSettings) return null
  return (
    <div class="nw-buttons">
      {mayRetry && (
        <button type="button" class="nw-btn-small" onClick={() => askAgain(turn, turn.asked)}>
          <Icon name="retry" /> Retry
        </button>
      )}
      {isInSettings && (
        <button type="button" class="nw-btn-small" onClick={openModelSettings}>
          <Icon name="key" /> Models and keys
        </button>
      )}
    </div>
  )
}

const noSources: readonly CitedSource[] = []

/** Only the text of the last step is the answer, and cites. */
const lastWords = (parts: readonly Part[]): number => parts.map(({ kind }) => kind).lastIndexOf('words')

interface PartProps {
  part: Part
  turn: TurnState
  isLive: boolean
  sources: readonly CitedSource[]
  actions: ChatActions
}

function PartView({ part, turn, isLive, sources, actions }: PartProps) {
  const { Markdown, Icon } = useHost()
  switch (part.kind) {
    case 'words':
      return (
        <CitedAnswer sources={sources} text={part.text} isLive={isLive}>
          <Markdown text={part.text} live={isLive} />
        </CitedAnswer>
      )
    case 'work':
      return <WorkGroup entries={part.entries} />
    case 'files':
      return <Pictures files={part.files} pictureOf={actions.pictureOf} />
    case 'notice':
      return (
        <p class="nw-notice">
          <Icon name="warning" /> <span>{visibleText(part.text).text}</span>
        </p>
      )
    case 'retry':
      return <RetryView key={part.until} retry={part} isLive={isLive} stop={actions.stop} />
    case 'approval':
      return (
        <ApprovalPart part={part} why={(path) => whyFound(turn, path)} model={turn.model} answer={actions.answer} />
      )
    default:
      return part satisfies never
  }
}

function TurnFoot({ turn, actions }: { turn: TurnState; actions: ChatActions }) {
  const { Icon } = useHost()
  const { id, asked, parts, model, usage } = turn
  const answer = parts.flatMap((part) => (part.kind === 'words' ? [part.text.trim()] : [])).join('\n\n')
  const facts = [model === 'offline' ? 'No model' : model, usageLine(usage)].filter(Boolean).join(' · ')
  return (
    <footer class="nw-turn-foot">
      <div class="nw-acts">
        {answer !== '' && <CopyButton text={() => answer} label="Copy answer" />}
        {actions.askAgain && asked && id !== undefined && (
          <button
            type="button"
            class="nw-btn-icon nw-btn-plain nw-btn-small"
            aria-label="Retry"
            title="Retry"
            onClick={() => actions.askAgain?.(turn, asked)}
          >
            <Icon name="retry" />
          </button>
        )}
        {actions.branch && (
          <button
            type="button"
            class="nw-btn-icon nw-btn-plain nw-btn-small"
            aria-label="Branch to a new chat"
            title="Branch to a new chat"
            onClick={() => actions.branch?.(turn)}
          >
            <Icon name="fork" />
          </button>
        )}
      </div>
      <span>{visibleText(facts).text}</span>
    </footer>
  )
}

const oneLine = (text: string): string => visibleText(text).text.replaceAll('\n', ' ')

/** Reasoning and calls between texts, in one line: "Searched notes, read 2 notes · 3.1 s". */
function WorkGroup({ entries }: { entries: readonly WorkEntry[] }) {
  const seen = entries.filter((entry) => entry.kind === 'thought' || !entry.background)
  if (seen.length === 0) return null
  return (
    <Fold class="nw-work" label={<WorkLabel entries={seen} />}>
      {() =>
        seen.map((entry, at) =>
          entry.kind === 'call' ? <Row key={at} row={entry} /> : <Thinking key={at} thought={entry} />,
        )
      }
    </Fold>
  )
}

function WorkLabel({ entries }: { entries: readonly WorkEntry[] }) {
  const running = entries.find((entry) => entry.endedAt === undefined)
  if (running !== undefined)
    return <>{running.kind === 'call' ? oneLine(running.progress ?? callLabel(running)) : 'Thinking'}…</>
  const calls = entries.filter((entry) => entry.kind === 'call')
  const words = calls.length === 0 ? 'Thought' : oneLine(stepsLine(calls))
  const time = spent(entries)
  return (
    <>
      {words}
      {time && ` · ${time}`}
    </>
  )
}

/** From the first start to the last end: reading calls run in parallel. */
function spent(entries: readonly WorkEntry[]): string {
  const from = Math.min(...entries.map(({ startedAt }) => startedAt))
  const to = Math.max(...entries.map(({ startedAt, endedAt = startedAt }) => endedAt))
  return to > from ? duration(to - from) : ''
}

function Thinking({ thought }: { thought: Thought }) {
  const time = spent([thought])
  return (
    <Fold class="nw-thought" label={time ? `Thought for ${time}` : 'Thought'}>
      {() => <p class="nw-source">{visibleText(thought.text).text}</p>}
    </Fold>
  )
}

function Row({ row }: { row: CallRow }) {
  const { Icon } = useHost()
  const { result, cached, call } = row
  const time = spent([row])
  const outcome = outcomeOf(row)
  const label = (
    <>
      <Icon name={iconFor(row)} /> <span class="nw-row-what">{oneLine(callLabel(row))}</span>{' '}
      <span class="nw-row-outcome">
        {oneLine(outcome)}
        {cached ? ', answered again' : time && `, ${time}`}
      </span>
    </>
  )
  return (
    <Fold class="nw-row" label={label}>
      {() => (
        <dl>
          <dt>Tool</dt>
          <dd>{oneLine(call.name)}</dd>
          <dt>Arguments</dt>
          <dd>
            <FramedText text={argumentsText(call.input)} label="Arguments" />
          </dd>
          <dt>Result</dt>
          <dd>
            <FramedText
              text={result === undefined ? 'None: the turn ended before it came.' : visibleText(result.text).text}
              label="Result"
            />
          </dd>
          {result?.ok && result.userEdited && (
            <>
              <dt>You</dt>
              <dd>changed or accepted a part of it</dd>
            </>
          )}
        </dl>
      )}
    </Fold>
  )
}

function FramedText({ text, label }: { text: string; label: string }) {
  return (
    <div role="group" class="nw-scroll nw-source" tabIndex={0} aria-label={label}>
      {text}
    </div>
  )
}

function argumentsText(input: unknown): string {
  return typeof input === 'string' ? visibleText(input).text : visibleJson(JSON.stringify(input, null, 2) ?? '')
}

function outcomeOf({ result, endedAt, progress }: CallRow): string {
  if (result === undefined) return endedAt === undefined ? (progress ?? 'running') : 'interrupted'
  return result.ok ? result.summary : whyNotDone(result)
}

function iconFor(row: CallRow): IconName {
  if (row.result === undefined && row.endedAt === undefined) return 'running'
  return outcomeIcons[stepOutcome(row)]
}

const outcomeIcons: Record<ReturnType<typeof stepOutcome>, IconName> = {
  done: 'done',
  'in part': 'warning',
  denied: 'refused',
  failed: 'failed',
  interrupted: 'refused',
}

/** After a turn that wrote something: which notes, and the way back. */
function ChangedNotesBar({
  changes,
  onReview,
  onUndo,
}: {
  changes: readonly ChangedNotes[]
  onReview?: ((ids: string[]) => void) | undefined
  onUndo?: ((ids: string[]) => void) | undefined
}) {
  const { Icon } = useHost()
  if (changes.length === 0) return null
  const paths = [...new Set(changes.flatMap((change) => change.paths))]
  const ids = changes.map(({ id }) => id)
  return (
    <div role="group" class="nw-changed" aria-label="Changed notes">
      <Fold label={`Changed ${count(paths.length, 'note')}`}>{() => <NoteLinkList paths={paths} />}</Fold>
      <span class="nw-changed-actions">
        {onReview && (
          <button type="button" onClick={() => onReview(ids)}>
            Review
          </button>
        )}
        {onUndo && (
          <button type="button" onClick={() => onUndo(ids)}>
            <Icon name="undo" /> Undo
          </button>
        )}
      </span>
    </div>
  )
}

/** Usage of a turn, if the provider reports it: "1,200 tokens in, 80 out, $0.0041". */
function usageLine({ input, output, cachedInput, cost }: StepUsage): string {
  return [
    input !== undefined &&
      `${groupDigits(input)} tokens in${cachedInput ? ` (${groupDigits(cachedInput)} cached)` : ''}`,
    output !== undefined && `${groupDigits(output)} out`,
    cost !== undefined && `$${cost.toFixed(4)}`,
  ]
    .filter(Boolean)
    .join(', ')
}
