import { useState } from 'preact/hooks'
import type { Panel, PanelAnswer } from '../../core/approval/index.js'
import { visibleText } from '../../core/text/index.js'
import { type Decided, isDecided, type Part } from '../transcript/index.js'
import { type IconName, useHost } from '../ui-host.js'
import { BatchPanel } from './batch-panel.js'
import type { WhyFound } from './pick-list.js'
import { QuestionPanel } from './question-panel.js'
import { type InWindow, panelTitle, RequestPanel } from './request-panel.js'

type Approval = Extract<Part, { kind: 'approval' }>

/** A panel while it waits, and one line about it when it is decided. */
export function ApprovalPart({
  part,
  why,
  inWindow,
  answer,
}: {
  part: Approval
  /** Why a note came into this turn. */
  why?: WhyFound
  inWindow?: InWindow
  answer?: (panel: Panel, answer: PanelAnswer) => Promise<string | undefined>
}) {
  const [isMine, setMine] = useState(false)
  const { panel } = part
  if (isDecided(part)) return <DecidedLines part={part} isMine={isMine} />
  if (answer === undefined) return <p class="nw-remark">Waits for an answer: {visibleText(titleOf(panel)).text}</p>
  const send = async (given: PanelAnswer) => {
    const refusal = await answer(panel, given)
    if (refusal === undefined) setMine(true)
    return refusal
  }
  switch (panel.kind) {
    case 'batch':
      return <BatchPanel key={panel.id} batch={panel} why={why} answer={send} />
    case 'question':
      return <QuestionPanel key={panel.id} question={panel} answer={send} />
    default:
      return <RequestPanel key={panel.id} request={panel} why={why} inWindow={inWindow} answer={send} />
  }
}

function titleOf(panel: Panel): string {
  if (panel.kind === 'batch') return `${panel.requests.length} calls`
  return panel.kind === 'question' ? `${panel.from} asks` : panelTitle(panel)
}

function DecidedLines({ part: { panel, decided }, isMine }: { part: Approval; isMine: boolean }) {
  const { Icon } = useHost()
  const lines =
    panel.kind === 'batch' ? panel.requests.map((one) => [one.id, one.title]) : [[panel.id, lineTitle(panel)]]
  return (
    <>
      {lines.map(([id, title]) => (
        <p class="nw-decided" key={id}>
          <Icon name={iconOf(decided[id])} />
          <span>
            {visibleText(decidedWords(decided[id], isMine)).text}: {visibleText(title).text}
          </span>
        </p>
      ))}
    </>
  )
}

const lineTitle = (panel: Exclude<Panel, { kind: 'batch' }>): string =>
  panel.kind === 'question' ? `a question of ${panel.from}` : panel.title

const iconOf = ({ verdict }: Decided): IconName => (verdict === 'allow' ? 'done' : 'refused')

/** Who decided, and for how long. */
function decidedWords({ verdict, scope, by }: Decided, isMine: boolean): string {
  if (by === 'expired') return 'Denied, since nobody answered in time'
  if (by === 'closed') return 'Denied, since the window was closed'
  if (by === 'stopped') return 'Void, since the turn was stopped'
  const who = isMine ? 'You' : 'A person'
  if (verdict === 'deny') return `${who} denied`
  const long = { once: '', 'change-set': ' for this turn', session: ' for this conversation', always: ' always' }
  return `${who} allowed${long[scope ?? 'once']}`
}
