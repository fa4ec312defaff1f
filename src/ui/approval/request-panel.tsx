import { useId, useState } from 'preact/hooks'
import { type ApprovalRequest, hasLinksLeft, type PanelAnswer } from '../../core/approval/index.js'
import { visibleText } from '../../core/text/index.js'
import { Fold } from '../fold.js'
import { allowWords, type Chosen } from './allow-words.js'
import { ArgumentsForm } from './arguments-form.js'
import { ChangesBody } from './changes-body.js'
import { type ChosenScope, chosenAnswer, firstChoice, isEmptyChoice } from './chosen-answer.js'
import { PanelFrame } from './panel-frame.js'
import { PickList, type WhyFound } from './pick-list.js'
import { PlainArguments, RequestFacts } from './request-facts.js'

/** A window of its own, which has introduced the tool and its arguments. */
export interface InWindow {
  /** What is read, and who receives it. */
  privacy: string
}

/** One call that waits: what it would do, and what the person can make of it. */
export function RequestPanel({
  request,
  why,
  inWindow,
  answer,
}: {
  request: ApprovalRequest
  why?: WhyFound
  inWindow?: InWindow
  answer: (answer: PanelAnswer) => Promise<string | undefined>
}) {
  const [chosen, choose] = useState<Chosen>(() => firstChoice(request))
  const [scope, setScope] = useState<ChosenScope>({ scope: 'once' })
  const isChanged = chosen.input !== undefined
  return (
    <PanelFrame
      title={panelTitle(request)}
      allow={allowWords(request, chosen)}
      onAllow={isEmptyChoice(request, chosen) ? undefined : () => chosenAnswer(request, chosen, scope)}
      safeDefault={isChanged ? 'deny' : request.safeDefault}
      focus={focusFor(request)}
      answer={answer}
      denyLabel={inWindow && 'Cancel'}
      options={
        <>
          {!isChanged && <ScopeChoice request={request} scope={scope} setScope={setScope} />}
          {inWindow && <p class="nw-reason">{visibleText(inWindow.privacy).text}</p>}
        </>
      }
    >
      <RequestBody request={request} why={why} chosen={chosen} choose={choose} isIntroduced={inWindow !== undefined} />
      {request.schema && (
        <Fold class="nw-edit" label={request.changes ? 'Edit first' : 'Change the arguments'}>
          {() => <ArgumentsForm request={request} onChange={(input) => choose({ ...chosen, input })} />}
        </Fold>
      )}
    </PanelFrame>
  )
}

export const panelTitle = ({ kind, title }: ApprovalRequest): string =>
  kind === 'executable' ? `Text that other programs run: ${title}` : `${title}?`

/** What is the same alone and in a list. */
export function RequestBody({
  request,
  why,
  chosen,
  choose,
  isIntroduced = false,
}: {
  request: ApprovalRequest
  why?: WhyFound
  chosen: Chosen
  choose: (next: Chosen) => void
  /** The arguments were shown already. */
  isIntroduced?: boolean
}) {
  const { pick, changes, sends, impact, input } = request
  return (
    <>
      <RequestFacts request={request} />
      {pick && <PickList request={request} why={why} chosen={chosen} choose={choose} />}
      {changes && <ChangesBody request={request} chosen={chosen} choose={choose} />}
      {hasLinksLeft(request) && (
        <label class="nw-check">
          <input
            type="checkbox"
            checked={chosen.touchesHidden}
            onChange={(event) => choose({ ...chosen, touchesHidden: event.currentTarget.checked })}
          />{' '}
          Also rewrite the {impact?.hidden?.links} links in private or excluded notes: it is planned again and shown to
          you
        </label>
      )}
      {!isIntroduced && !changes && !pick && sends.length === 0 && <PlainArguments input={input} />}
    </>
  )
}

function ScopeChoice({
  request,
  scope,
  setScope,
}: {
  request: ApprovalRequest
  scope: ChosenScope
  setScope: (next: ChosenScope) => void
}) {
  const name = useId()
  const { scopes, offers } = request
  if (scopes.length < 2) return null
  const choices: (ChosenScope & { about: string })[] = [
    { scope: 'once', about: 'Just this once' },
    ...(scopes.includes('change-set') ? [{ scope: 'change-set' as const, about: 'All changes of this turn' }] : []),
    ...(['session', 'always'] as const)
      .filter((one) => scopes.includes(one))
      .flatMap((one) =>
        offers.map(({ rule }) => ({
          scope: one,
          rule,
          about: one === 'session' ? 'Until this conversation ends:' : 'Always in this vault:',
        })),
      ),
  ]
  return (
    <Fold class="nw-scopes" label="How long this counts">
      {() => (
        <fieldset>
          <legend class="nw-said">How long this counts</legend>
          {choices.map((one) => (
            <label class="nw-check" key={`${one.scope} ${one.rule}`}>
              <input
                type="radio"
                name={name}
                checked={one.scope === scope.scope && one.rule === scope.rule}
                onChange={() => setScope({ scope: one.scope, rule: one.rule })}
              />{' '}
              {one.about} {one.rule !== undefined && <code>{visibleText(one.rule).text}</code>}
            </label>
          ))}
        </fieldset>
      )}
    </Fold>
  )
}

function focusFor({ safeDefault, tool }: ApprovalRequest): 'allow' | 'deny' | 'panel' {
  if (safeDefault === 'allow') return 'allow'
  return tool.effects.includes('destroys') ? 'deny' : 'panel'
}
