import { callLabel, isRefused, stepsLine, whyNotDone } from '../../core/session/index.js'
import { duration, visibleJson, visibleText } from '../../core/text/index.js'
import { Fold } from '../fold.js'
import type { CallRow, Thought, WorkEntry } from '../transcript/index.js'
import { type IconName, useHost } from '../ui-host.js'

const shown = (text: string): string => visibleText(text).text.replaceAll('\n', ' ')

/** What was thought and done between words, in one line: "Searched notes, read 2 notes · 3.1 s". */
export function WorkGroup({ entries }: { entries: readonly WorkEntry[] }) {
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
    return <>{running.kind === 'call' ? shown(running.progress ?? callLabel(running)) : 'Thinking'}…</>
  const calls = entries.filter((entry) => entry.kind === 'call')
  const failed = calls.filter(({ result }) => result?.ok === false).length
  const words = calls.length === 0 ? 'Thought' : shown(stepsLine(calls.map(({ title }) => title)))
  const time = spent(entries)
  return (
    <>
      {words}
      {failed > 0 && `, ${failed} not done`}
      {time && ` · ${time}`}
    </>
  )
}

/** From the first to the last of them: calls that read run side by side. */
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
      <Icon name={iconFor(row)} /> <span class="nw-row-what">{shown(callLabel(row))}</span>{' '}
      <span class="nw-row-outcome">
        {shown(outcome)}
        {cached ? ', answered again' : time && `, ${time}`}
      </span>
    </>
  )
  return (
    <Fold class="nw-row" label={label}>
      {() => (
        <dl>
          <dt>Tool</dt>
          <dd>{shown(call.name)}</dd>
          <dt>Arguments</dt>
          <dd>
            <Source text={argumentsText(call.input)} label="Arguments" />
          </dd>
          <dt>Result</dt>
          <dd>
            <Source
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

function Source({ text, label }: { text: string; label: string }) {
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
  if (result === undefined) return endedAt === undefined ? (progress ?? 'running') : 'broke off'
  return result.ok ? result.summary : whyNotDone(result)
}

function iconFor({ result, endedAt }: CallRow): IconName {
  if (result === undefined) return endedAt === undefined ? 'running' : 'refused'
  if (result.ok) return 'done'
  return isRefused(result.code) ? 'refused' : 'failed'
}
