import type { VNode } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Panel, PanelAnswer } from '../../core/approval/index.js'
import { visibleText } from '../../core/text/index.js'
import { ApprovalPart } from '../approval/index.js'
import { Fold } from '../fold.js'
import { type Part, type TurnState, whyFound } from '../transcript/index.js'
import { useHost } from '../ui-host.js'
import { ChangedNotesBar } from './changed-notes.js'
import { FailureBox } from './failure-box.js'
import { type PictureSource, Pictures } from './pictures.js'
import { Sources } from './sources.js'
import { usageLine } from './usage-line.js'
import { WorkGroup } from './work-group.js'

/** What a person can do with a conversation. What is left out has no button. */
export interface ChatActions {
  answer?: (panel: Panel, answer: PanelAnswer) => Promise<string | undefined>
  review?: (changeSets: string[]) => void
  undo?: (changeSets: string[]) => void
  /** Takes the words back into the field, to ask anew from before them. */
  editAndResend?(turn: TurnState): void
  /** Goes on from here in a conversation of its own. */
  fork?(turn: TurnState): void
  /** Without it, files are only named. */
  pictureOf?: PictureSource
}

/** One question and everything that came of it. Drawn again only when something of it has changed. */
export function TurnView({ turn, actions }: { turn: TurnState; actions: ChatActions }): VNode {
  return useMemo(() => <Turn turn={turn} actions={actions} />, [turn, actions])
}

function Turn({ turn, actions }: { turn: TurnState; actions: ChatActions }) {
  const { asked, parts, ended, citations, changes } = turn
  return (
    <article class="nw-turn" aria-label={asked ? `You asked: ${asked.slice(0, 80)}` : 'Answer'}>
      {asked && <Question turn={turn} actions={actions} />}
      {parts.map((part, at) => (
        <PartView
          key={at}
          part={part}
          turn={turn}
          isLive={ended === undefined && at === parts.length - 1}
          actions={actions}
        />
      ))}
      {ended?.reason === 'failed' && ended.failure && <FailureBox failure={ended.failure} />}
      {ended?.reason === 'stopped' && <p class="nw-remark">Stopped. What was done until then stays done.</p>}
      {ended?.reason === 'step-limit' && (
        <p class="nw-remark">Stopped after {ended.steps} steps; the answer is from what was found until then.</p>
      )}
      <Sources citations={citations} />
      {ended && <ChangedNotesBar changes={changes} onReview={actions.review} onUndo={actions.undo} />}
      {ended && <TurnFoot turn={turn} actions={actions} />}
    </article>
  )
}

/** Longer than this, a question is folded. */
const longQuestion = 12

function Question({ turn, actions }: { turn: TurnState; actions: ChatActions }) {
  const { Icon } = useHost()
  const words = visibleText(turn.asked).text
  const lines = words.split('\n')
  const isLong = lines.length > longQuestion || words.length > 1500
  const short = lines.slice(0, 3).join('\n').slice(0, 300)
  return (
    <div class="nw-question">
      <div class="nw-bubble">
        {isLong ? (
          <>
            <p class="nw-source">{short}…</p>
            <Fold label={`All ${lines.length} lines`}>{() => <p class="nw-source">{words}</p>}</Fold>
          </>
        ) : (
          <p class="nw-source">{words}</p>
        )}
        {turn.given.length > 0 && <Pictures files={turn.given} pictureOf={actions.pictureOf} />}
      </div>
      {actions.editAndResend && turn.ended && (
        <button type="button" class="nw-quiet" onClick={() => actions.editAndResend?.(turn)}>
          <Icon name="edit" /> Edit and resend
        </button>
      )}
    </div>
  )
}

interface PartProps {
  part: Part
  turn: TurnState
  isLive: boolean
  actions: ChatActions
}

function PartView({ part, turn, isLive, actions }: PartProps) {
  const { Markdown, Icon } = useHost()
  switch (part.kind) {
    case 'words':
      return <Markdown text={part.text} live={isLive} />
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
    case 'approval':
      return <ApprovalPart part={part} why={(path) => whyFound(turn, path)} answer={actions.answer} />
    default:
      return part satisfies never
  }
}

function TurnFoot({ turn, actions }: { turn: TurnState; actions: ChatActions }) {
  const { Icon } = useHost()
  const usage = usageLine(turn.usage)
  const facts = [turn.model, usage].filter(Boolean).join(' · ')
  return (
    <footer class="nw-turn-foot">
      <span>{visibleText(facts).text}</span>
      {actions.fork && (
        <button type="button" class="nw-quiet" onClick={() => actions.fork?.(turn)}>
          <Icon name="fork" /> Fork from here
        </button>
      )}
    </footer>
  )
}
