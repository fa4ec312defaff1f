import { useState } from 'preact/hooks'
import type { ApprovalAnswer, ApprovalBatch, PanelAnswer } from '../../core/approval/index.js'
import { visibleText } from '../../core/text/index.js'
import { Fold } from '../fold.js'
import { allowWords, type Chosen } from './allow-words.js'
import { chosenAnswer, firstChoice, isEmptyChoice } from './chosen-answer.js'
import { PanelFrame } from './panel-frame.js'
import type { WhyFound } from './pick-list.js'
import { panelTitle, RequestBody } from './request-panel.js'

/** More calls than a person can look at one by one. Nothing passes that is not ticked. */
export function BatchPanel({
  batch,
  why,
  answer,
}: {
  batch: ApprovalBatch
  why?: WhyFound
  answer: (answer: PanelAnswer) => Promise<string | undefined>
}) {
  const { requests } = batch
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const [chosen, setChosen] = useState<Record<string, Chosen>>(() =>
    Object.fromEntries(requests.map((request) => [request.id, firstChoice(request)])),
  )
  const isIn = (id: string) => ticked.has(id)
  const usable = requests.filter((request) => isIn(request.id) && !isEmptyChoice(request, chosen[request.id]))

  function onAllow(): PanelAnswer {
    const answers: Record<string, ApprovalAnswer> = {}
    for (const request of usable) answers[request.id] = chosenAnswer(request, chosen[request.id], { scope: 'once' })
    return { verdict: 'each', answers }
  }
  function tick(id: string, isTicked: boolean): void {
    const next = new Set(ticked)
    if (isTicked) next.add(id)
    else next.delete(id)
    setTicked(next)
  }

  return (
    <PanelFrame
      title={`${requests.length} calls wait for you`}
      allow={`Allow ${usable.length} of ${requests.length}, deny the rest`}
      onAllow={usable.length === 0 ? undefined : onAllow}
      safeDefault="deny"
      focus="panel"
      denyLabel="Deny all"
      answer={(given) =>
        answer(given.verdict === 'deny' ? { verdict: 'each', answers: refusals(batch, given.words) } : given)
      }
    >
      <p>Nothing passes that you do not tick.</p>
      <ol class="nw-batch">
        {requests.map((request) => (
          <li key={request.id}>
            <label class="nw-check">
              <input
                type="checkbox"
                checked={isIn(request.id)}
                onChange={(event) => tick(request.id, event.currentTarget.checked)}
              />{' '}
              <strong>{visibleText(panelTitle(request)).text}</strong>
            </label>
            <Fold label={`What it does: ${allowWords(request, chosen[request.id])}`} open={requests.length <= 3}>
              {() => (
                <RequestBody
                  request={request}
                  why={why}
                  chosen={chosen[request.id]}
                  choose={(next) => setChosen({ ...chosen, [request.id]: next })}
                />
              )}
            </Fold>
          </li>
        ))}
      </ol>
    </PanelFrame>
  )
}

function refusals({ requests }: ApprovalBatch, words: string | undefined): Record<string, ApprovalAnswer> {
  return Object.fromEntries(requests.map(({ id }) => [id, { verdict: 'deny', ...(words && { words }) }]))
}
