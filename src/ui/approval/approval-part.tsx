import { useEffect, useState } from 'preact/hooks'
import type {
  ApprovalAnswer,
  ApprovalBatch,
  ApprovalRequest,
  UserAnswer,
  UserRequest,
} from '../../core/approval/index.js'
import { visibleText } from '../../core/text/index.js'
import { Fold } from '../fold.js'
import { type ApprovalDecision, isDecided, type Part } from '../transcript/transcript.js'
import { type IconName, useHost } from '../ui-host.js'
import {
  type ApprovalChoices,
  allowWords,
  chosenAnswer,
  decidedWords,
  firstChoice,
  isEmptyChoice,
  type ScopeSelection,
} from './answer.js'
import { type FindReason, KeepOrReject, PanelFrame } from './panel-frame.js'
import { QuestionPanel } from './question-panel.js'
import { type ModalContext, panelTitle, RememberChoice, RequestBody, RequestPanel } from './request-panel.js'

type Approval = Extract<Part, { kind: 'approval' }>

/** A panel while it waits, and one line about it when it is decided. */
export function ApprovalPart({
  part,
  why,
  model,
  inWindow,
  answer,
}: {
  part: Approval
  /** Reason why a note is in this turn. */
  why?: FindReason
  /** The model that receives the results. */
  model?: string | undefined
  inWindow?: ModalContext
  answer?: ((panel: UserRequest, answer: UserAnswer) => Promise<string | undefined>) | undefined
}) {
  const [isMine, setMine] = useState(false)
  const { panel } = part
  if (isDecided(part)) return <DecidedLines part={part} isMine={isMine} />
  if (answer === undefined) return <p class="nw-remark">Waits for an answer: {visibleText(titleOf(panel)).text}</p>
  const send = async (given: UserAnswer) => {
    const refusal = await answer(panel, given)
    if (refusal === undefined) setMine(true)
    return refusal
  }
  switch (panel.kind) {
    case 'batch':
      return <BatchPanel key={panel.id} batch={panel} why={why} model={model} answer={send} />
    case 'question':
      return <QuestionPanel key={panel.id} question={panel} answer={send} />
    default:
      return <RequestPanel key={panel.id} request={panel} why={why} model={model} inWindow={inWindow} answer={send} />
  }
}

function titleOf(panel: UserRequest): string {
  if (panel.kind === 'batch') return `${panel.requests.length} calls`
  return panel.kind === 'question' ? `${panel.from} asks` : panelTitle(panel)
}

function DecidedLines({ part: { panel, decided }, isMine }: { part: Approval; isMine: boolean }) {
  const { Icon, reasons } = useHost()
  useEffect(() => reasons?.write(panel.id, undefined), [])
  const lines =
    panel.kind === 'batch'
      ? panel.requests.map(({ id, title }) => ({ id, title }))
      : [{ id: panel.id, title: lineTitle(panel) }]
  return (
    <>
      {lines.map(({ id, title }) => {
        const decision = decided[id]
        return (
          decision && (
            <p class="nw-decided" key={id}>
              <Icon name={iconOf(decision)} />
              <span>
                {visibleText(decidedWords(decision, isMine)).text}: {visibleText(title).text}
              </span>
            </p>
          )
        )
      })}
    </>
  )
}

const lineTitle = (panel: Exclude<UserRequest, { kind: 'batch' }>): string =>
  panel.kind === 'question' ? `a question of ${panel.from}` : panel.title

function iconOf({ verdict, part }: ApprovalDecision): IconName {
  if (verdict === 'deny') return 'refused'
  return part === undefined ? 'done' : 'warning'
}

/** With more calls than this, each is closed, and nothing is kept that the user has not chosen. */
const shownAtOnce = 8

/** Several calls in one request, each kept or rejected on its own. */
function BatchPanel({
  batch,
  why,
  model,
  answer,
}: {
  batch: ApprovalBatch
  why?: FindReason | undefined
  model?: string | undefined
  answer: (answer: UserAnswer) => Promise<string | undefined>
}) {
  const { requests } = batch
  const isShort = requests.length <= shownAtOnce
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set(isShort ? requests.map(({ id }) => id) : []))
  const [scope, setScope] = useState<ScopeSelection>({ scope: 'once' })
  const [chosen, setChosen] = useState<Record<string, ApprovalChoices>>(() =>
    Object.fromEntries(requests.map((request) => [request.id, firstChoice(request)])),
  )
  const choicesFor = (request: ApprovalRequest) => chosen[request.id] ?? firstChoice(request)
  const isIn = (id: string) => kept.has(id)
  const usable = requests.filter((request) => isIn(request.id) && !isEmptyChoice(request, choicesFor(request)))

  function onAllow(): UserAnswer {
    const answers: Record<string, ApprovalAnswer> = {}
    for (const request of usable) answers[request.id] = chosenAnswer(request, choicesFor(request), scope)
    return { verdict: 'each', answers }
  }
  function keep(id: string, isKept: boolean): void {
    const next = new Set(kept)
    if (isKept) next.add(id)
    else next.delete(id)
    setKept(next)
  }

  return (
    <PanelFrame
      request={batch.id}
      title={`Make these ${requests.length} calls?`}
      icon="list"
      allow={
        usable.length === requests.length
          ? `Apply all ${requests.length}`
          : `Apply ${usable.length} of ${requests.length}`
      }
      onAllow={usable.length === 0 ? undefined : onAllow}
      safeDefault="deny"
      focus={requests.some(({ tool }) => tool.effects.includes('destroys')) ? 'deny' : 'panel'}
      denyLabel="Deny all"
      answer={(given) =>
        answer(given.verdict === 'deny' ? { verdict: 'each', answers: refusals(batch, given.words) } : given)
      }
      remember={<RememberChoice of={requests} scope={scope} setScope={setScope} />}
    >
      {!isShort && <p class="nw-reason">Only the calls that you keep are made.</p>}
      <ol class="nw-batch">
        {requests.map((request, at) => {
          const missing = requests
            .slice(0, at)
            .find((earlier) => !usable.includes(earlier) && buildsOn(request, earlier))
          return (
            <li class={isIn(request.id) ? 'nw-call' : 'nw-call nw-call-out'} key={request.id} data-choice tabIndex={-1}>
              <header>
                <strong class="nw-grow">{visibleText(panelTitle(request)).text}</strong>
                <KeepOrReject
                  of={visibleText(request.title).text}
                  isKept={isIn(request.id)}
                  onChoose={(isKept) => keep(request.id, isKept)}
                />
              </header>
              {missing && isIn(request.id) && (
                <p class="nw-warning">
                  It builds on “{visibleText(missing.title).text}”, which you reject. The call is planned again, or
                  fails.
                </p>
              )}
              <Fold label={allowWords(request, choicesFor(request))} open={isShort}>
                {() => (
                  <RequestBody
                    request={request}
                    why={why}
                    model={model}
                    chosen={choicesFor(request)}
                    choose={(next) => setChosen({ ...chosen, [request.id]: next })}
                  />
                )}
              </Fold>
            </li>
          )
        })}
      </ol>
    </PanelFrame>
  )
}

/** True if a call changes a note that an earlier one creates, changes or moves. */
function buildsOn(request: ApprovalRequest, earlier: ApprovalRequest): boolean {
  const left = new Set((earlier.changes ?? []).flatMap(({ path, to }) => [path, to ?? path]))
  return (request.changes ?? []).some(({ path }) => left.has(path))
}

function refusals({ requests }: ApprovalBatch, words: string | undefined): Record<string, ApprovalAnswer> {
  return Object.fromEntries(requests.map(({ id }) => [id, { verdict: 'deny', ...(words && { words }) }]))
}
