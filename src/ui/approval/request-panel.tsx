import type { ComponentChildren, ComponentType } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import {
  type ApprovalRequest,
  allowChoices,
  hasHiddenLinksToRewrite,
  type UserAnswer,
} from '../../core/approval/index.js'
import { impactLines, wordGroups } from '../../core/session/index.js'
import { bytes, count, visibleJson, visibleText } from '../../core/text/index.js'
import { Menu } from '../controls/menu.js'
import { Fold } from '../fold.js'
import { type IconName, useHost } from '../ui-host.js'
import {
  type ApprovalChoices,
  allowWords,
  chosenAnswer,
  firstChoice,
  isEdited,
  isEmptyChoice,
  type ScopeSelection,
} from './answer.js'
import { ChangesBody } from './changes-body.js'
import { type FindReason, PanelFrame, PickList } from './panel-frame.js'
import type { ReviewProps } from './review.js'

/** Context of a modal that has already introduced the tool and its arguments. */
export interface ModalContext {
  /** Text about the data read and its recipients. */
  privacy: string
}

/** One pending call: its effects, and the user's choices. */
export function RequestPanel({
  request,
  why,
  model,
  inWindow,
  answer,
}: {
  request: ApprovalRequest
  why?: FindReason | undefined
  /** The model that receives the result. */
  model?: string | undefined
  inWindow?: ModalContext | undefined
  answer: (answer: UserAnswer) => Promise<string | undefined>
}) {
  const [chosen, choose] = useState<ApprovalChoices>(() => firstChoice(request))
  const [scope, setScope] = useState<ScopeSelection>({ scope: 'once' })
  const [isEditing, setEditing] = useState(false)
  const [Review, setReview] = useState<ComponentType<ReviewProps> | undefined>()
  const isOther = isEdited(request, chosen)
  const onAllow = isEmptyChoice(request, chosen) ? undefined : () => chosenAnswer(request, chosen, scope)
  const isLarge = isLargeChange(request)
  // Loaded when it is first opened: most changes need none.
  const openReview = () => void import('./review.js').then((loaded) => setReview(() => loaded.Review))
  return (
    <>
      <PanelFrame
        request={request.id}
        title={panelTitle(request)}
        icon={iconFor(request)}
        about={<ChangeSummary request={request} />}
        allow={allowWords(request, chosen)}
        onAllow={onAllow}
        safeDefault={isOther ? 'deny' : request.safeDefault}
        focus={focusFor(request)}
        answer={answer}
        denyLabel={inWindow && 'Cancel'}
        editing={
          request.schema || request.results
            ? {
                isOpen: isEditing,
                toggle() {
                  // Closing the form returns to what was proposed.
                  if (isEditing) choose(withoutEdits(chosen))
                  setEditing(!isEditing)
                },
              }
            : undefined
        }
        options={inWindow && <p class="nw-reason">{visibleText(inWindow.privacy).text}</p>}
        remember={!isOther && <RememberChoice of={[request]} scope={scope} setScope={setScope} />}
      >
        {isEditing ? (
          <EditForm request={request} chosen={chosen} choose={choose} />
        ) : (
          <RequestBody
            request={request}
            why={why}
            model={model}
            chosen={chosen}
            choose={choose}
            isIntroduced={inWindow !== undefined}
            onReview={isLarge ? openReview : undefined}
          />
        )}
      </PanelFrame>
      {Review && (
        <Review
          request={request}
          chosen={chosen}
          choose={choose}
          allow={allowWords(request, chosen)}
          onAllow={onAllow && (() => answer(onAllow()))}
          onClose={() => setReview(undefined)}
        />
      )}
    </>
  )
}

/** With more notes than this, a change is reviewed on a screen of its own. */
const manyNotes = 30

const isLargeChange = ({ changes = [] }: ApprovalRequest): boolean =>
  changes.length > manyNotes && new Set(changes.map(({ path }) => path)).size > manyNotes

/** The choices without edited arguments and texts. */
const withoutEdits = ({ input: _, texts: __, ...chosen }: ApprovalChoices): ApprovalChoices => chosen

function iconFor({ changes = [], sends, tool, kind }: ApprovalRequest): IconName {
  if (kind === 'executable') return 'warning'
  const [first] = changes
  if (first?.kind === 'trash') return 'trash'
  if (first?.kind === 'move') return 'note'
  if (first !== undefined) return 'edit'
  if (sends.length > 0) return 'send'
  return tool.effects.every((effect) => effect === 'reads') ? 'search' : 'shield'
}

/** "Garden/Compost.md · 3 changes", or how many notes. */
function ChangeSummary({ request: { changes = [], hunks = [], impact } }: { request: ApprovalRequest }) {
  const [first] = changes
  if (first === undefined) return null
  if (impact || changes.length > 1) return <>{count(new Set(changes.map(({ path }) => path)).size, 'note')}</>
  const places = hunks.reduce((sum, own) => sum + own.hunks.length, 0)
  return (
    <>
      {shown(first.path)}
      {places > 1 && ` · ${count(places, 'change')}`}
    </>
  )
}

export const panelTitle = ({ kind, title }: ApprovalRequest): string =>
  kind === 'executable' ? `Text that other programs run: ${title}` : `${title}?`

/** The part that is the same alone and in a list. */
export function RequestBody({
  request,
  why,
  model,
  chosen,
  choose,
  isIntroduced = false,
  onReview,
}: {
  request: ApprovalRequest
  why?: FindReason | undefined
  model?: string | undefined
  chosen: ApprovalChoices
  choose: (next: ApprovalChoices) => void
  /** The tool and its arguments were shown already. */
  isIntroduced?: boolean
  /** Opens the screen for changes of many notes, which are not listed here then. */
  onReview?: (() => void) | undefined
}) {
  const { pick, changes, sends, impact, input } = request
  return (
    <>
      <RequestFacts request={request} model={model} isIntroduced={isIntroduced} />
      {pick && <PickList request={request} why={why} chosen={chosen} choose={choose} />}
      {changes && !onReview && <ChangesBody request={request} chosen={chosen} choose={choose} />}
      {changes && onReview && (
        <>
          <ChangesBody
            request={{ ...request, changes: changes.filter(({ kind }) => kind === 'move').slice(0, 1), hunks: [] }}
            chosen={chosen}
            choose={choose}
          />
          <p>
            <button type="button" onClick={onReview}>
              Review {count(new Set(changes.map(({ path }) => path)).size, 'note')}
            </button>
          </p>
        </>
      )}
      {hasHiddenLinksToRewrite(request) && (
        <label class="nw-check">
          <input
            type="checkbox"
            checked={chosen.touchesHidden}
            onChange={(event) => choose({ ...chosen, touchesHidden: event.currentTarget.checked })}
          />{' '}
          Also update the {impact?.hidden?.links} links in private or excluded notes: it is planned again and shown to
          you
        </label>
      )}
      {!isIntroduced && !changes && !pick && sends.length === 0 && <PlainArguments input={input} />}
    </>
  )
}

/** How long the answer counts, for all of these requests alike. */
export function RememberChoice({
  of,
  scope,
  setScope,
}: {
  of: readonly ApprovalRequest[]
  scope: ScopeSelection
  setScope: (next: ScopeSelection) => void
}) {
  const { Icon } = useHost()
  const [first, ...others] = of.map((request) =>
    allowChoices(request).flatMap(({ scope, about, rules }): (ScopeSelection & { about: string })[] =>
      rules.length === 0 ? [{ scope, about }] : rules.map((rule) => ({ scope, about, rule })),
    ),
  )
  const isSame = (one: ScopeSelection, other: ScopeSelection) => one.scope === other.scope && one.rule === other.rule
  const choices = (first ?? []).filter((choice) => others.every((list) => list.some((one) => isSame(one, choice))))
  if (choices.length < 2) return null
  return (
    <Menu
      label="Remember this choice"
      class="nw-btn-plain nw-remember"
      groups={[
        {
          title: 'Remember this choice',
          items: choices.map((choice) => ({
            label: choice.rule === undefined ? choice.about : `${choice.about} ${choice.rule}`,
            checked: isSame(choice, scope),
            onChoose: () => setScope({ scope: choice.scope, ...(choice.rule !== undefined && { rule: choice.rule }) }),
          })),
        },
      ]}
    >
      <span class="nw-cut">
        {choices.find((choice) => isSame(choice, scope) && scope.scope !== 'once')?.about ?? 'Remember this choice'}
      </span>
      <Icon name="down" />
    </Menu>
  )
}

/** The text of each changed note as it would be, and the arguments of the call. */
function EditForm({
  request,
  chosen,
  choose,
}: {
  request: ApprovalRequest
  chosen: ApprovalChoices
  choose: (next: ApprovalChoices) => void
}) {
  const { results = [], changes = [], schema } = request
  const fields = useRef<HTMLDivElement>(null)
  useEffect(() => fields.current?.querySelector<HTMLElement>('textarea, input, select')?.focus(), [])
  const argumentsForm = () => <ArgumentsForm request={request} onChange={(input) => choose({ ...chosen, input })} />
  return (
    <div class="nw-form" ref={fields}>
      {results.map(({ change, text }) => (
        <ResultField
          key={change}
          path={changes[change]?.path ?? ''}
          isAppended={changes[change]?.kind === 'append'}
          text={chosen.texts?.[change] ?? text}
          onInput={(edited) => choose({ ...chosen, texts: { ...chosen.texts, [change]: edited } })}
        />
      ))}
      {results.length > 0 && <p class="nw-reason">You see the changes again before they are applied.</p>}
      {schema &&
        (results.length === 0 ? argumentsForm() : <Fold label="Change the arguments instead">{argumentsForm}</Fold>)}
    </div>
  )
}

function ResultField({
  path,
  isAppended,
  text,
  onInput,
}: {
  path: string
  isAppended: boolean
  text: string
  onInput: (text: string) => void
}) {
  const id = useId()
  return (
    <div class="nw-field">
      <label for={id}>
        {isAppended ? 'Text to add to' : 'Text of'} {shown(path)}
      </label>
      <textarea
        id={id}
        class="nw-result"
        rows={Math.max(4, Math.min(18, text.split('\n').length + 1))}
        value={text}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      {visibleText(text).hidden > 0 && <small class="nw-trouble">Read as: {visibleText(text).text}</small>}
    </div>
  )
}

function focusFor({ safeDefault, tool }: ApprovalRequest): 'allow' | 'deny' | 'panel' {
  if (safeDefault === 'allow') return 'allow'
  return tool.effects.includes('destroys') ? 'deny' : 'panel'
}

const shown = (text: string): string => visibleText(text).text

/** All facts for the decision: long parts scroll, nothing is truncated. */
function RequestFacts({
  request,
  model,
  isIntroduced,
}: {
  request: ApprovalRequest
  model: string | undefined
  isIntroduced: boolean
}) {
  const { tool, reasons, notices, hidden, sends, loads, words, impact } = request
  return (
    <>
      <ul class="nw-facts">
        {reasons.map((reason, at) => (
          <Fact icon="shield" key={at}>
            {shown(reason)}
          </Fact>
        ))}
        {!isIntroduced && tool.purpose && (
          <Fact icon="info">
            {shown(tool.title)}: {shown(tool.purpose)}
          </Fact>
        )}
        {receivers(request, isIntroduced ? undefined : model).map((text) => (
          <Fact icon={sends.length > 0 ? 'send' : 'computer'} key={text}>
            {shown(text)}
          </Fact>
        ))}
        {request.changes && request.changes.length > 0 && (
          <Fact icon="undo">
            {request.changes.length === 1 ? 'You can undo this later.' : 'One undo reverts all of it.'}
          </Fact>
        )}
      </ul>
      {tool.source !== 'built-in' && <Warning>From {shown(tool.source)}</Warning>}
      {notices.map(({ text }, at) => (
        <Warning key={at}>{shown(text)}</Warning>
      ))}
      {hidden && <Warning>{count(hidden, 'character')} of this cannot be seen; shown as ⟦U+…⟧.</Warning>}
      {sends.map(({ url, payload, bytes: size }, at) => (
        <div class="nw-sends" key={at}>
          <p>
            <strong>Sends</strong> {bytes(size)} to
          </p>
          <Scrolled label="Address">{shown(url)}</Scrolled>
          {payload && <Scrolled label="What is sent">{shown(payload)}</Scrolled>}
        </div>
      ))}
      {loads.map(({ path, url, how }, at) => (
        <Warning key={at}>
          Would load {shown(url)} ({shown(how)} in {shown(path)})
        </Warning>
      ))}
      {wordGroups(words).map(({ whose, isTyped, words: own }) => (
        <p class={isTyped ? 'nw-reason' : 'nw-warning'} key={whose}>
          {shown(whose)}: {shown(own.join(', '))}
        </p>
      ))}
      {impact &&
        impactLines(impact).map(({ warning, text }, at) =>
          warning === undefined ? (
            <p key={at}>{shown(text)}</p>
          ) : (
            <Warning key={at}>
              {warning === '!' ? '' : `${warning}: `}
              {shown(text)}
            </Warning>
          ),
        )}
    </>
  )
}

/** The arguments of a call that neither changes notes nor sends or picks something. */
export function PlainArguments({ input }: { input: unknown }) {
  if (typeof input !== 'object' || input === null) return null
  return (
    <dl class="nw-arguments">
      {Object.entries(input).map(([name, value]) => (
        <div key={name}>
          <dt>{shown(name)}</dt>
          <dd>
            <Scrolled label={name}>
              {typeof value === 'string' ? shown(value) : visibleJson(JSON.stringify(value, null, 1))}
            </Scrolled>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** The receivers of what the call sends and of its result, as far as they are known. */
function receivers({ sends, tool, pick }: ApprovalRequest, model: string | undefined): string[] {
  const hosts = [...new Set(sends.map(({ url }) => (URL.canParse(url) && new URL(url).host) || url))]
  const size = sends.reduce((sum, send) => sum + send.bytes, 0)
  const reachesNetwork = sends.length > 0 || tool.effects.includes('reaches-network')
  const result = pick ? 'What you share' : 'The result'
  const sent = hosts.length > 0 ? `Sends ${bytes(size)} to ${hosts.join(', ')}.` : ''
  const local = reachesNetwork ? '' : 'This call sends nothing over the network.'
  const received =
    model === undefined
      ? ''
      : model === 'offline'
        ? `${result} stays on this computer: no model is used.`
        : `${result} goes to ${model}.`
  const words = [sent, local, received].filter(Boolean).join(' ')
  return words === '' ? [] : [words]
}

function Fact({ icon, children }: { icon: IconName; children: ComponentChildren }) {
  const { Icon } = useHost()
  return (
    <li>
      <Icon name={icon} /> <span>{children}</span>
    </li>
  )
}

function Warning({ children }: { children: ComponentChildren }) {
  const { Icon } = useHost()
  return (
    <p class="nw-warning">
      <Icon name="warning" /> <span>{children}</span>
    </p>
  )
}

function Scrolled({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div role="group" class="nw-scroll nw-source" aria-label={label} tabIndex={0}>
      {children}
    </div>
  )
}

interface Field {
  name: string
  type: 'string' | 'number' | 'boolean' | 'json'
  description?: string
  options?: readonly string[]
}

/** The arguments as editable fields. Reports every change: the new arguments, or nothing while one is invalid. */
function ArgumentsForm({ request, onChange }: { request: ApprovalRequest; onChange: (input: unknown) => void }) {
  const input = isObject(request.input) ? request.input : {}
  const fields = fieldsOf(request.schema, input)
  const [texts, setTexts] = useState<Record<string, string>>(() =>
    Object.fromEntries(fields.map((field) => [field.name, textOf(field, input[field.name])])),
  )
  const [trouble, setTrouble] = useState<string | undefined>()

  function change(name: string, text: string): void {
    const next = { ...texts, [name]: text }
    setTexts(next)
    const read = readFields(fields, next, input)
    setTrouble(typeof read === 'string' ? read : undefined)
    const isSame = typeof read !== 'string' && JSON.stringify(read) === JSON.stringify(input)
    onChange(typeof read === 'string' || isSame ? undefined : read)
  }

  return (
    <div class="nw-form">
      {fields.map((field) => (
        <ArgumentField
          key={field.name}
          field={field}
          text={texts[field.name] ?? ''}
          onInput={(text) => change(field.name, text)}
        />
      ))}
      {trouble && <p class="nw-trouble">{trouble}</p>}
    </div>
  )
}

function ArgumentField({ field, text, onInput }: { field: Field; text: string; onInput: (text: string) => void }) {
  const id = useId()
  const about = field.description && visibleText(field.description).text
  const common = { id, 'aria-describedby': about ? `${id}-about` : undefined }
  return (
    <div class="nw-field">
      <label for={id}>{visibleText(field.name).text}</label>
      {field.options || field.type === 'boolean' ? (
        <select {...common} value={text} onChange={(event) => onInput(event.currentTarget.value)}>
          <option value="">not given</option>
          {(field.options ?? ['true', 'false']).map((option) => (
            <option key={option} value={option}>
              {visibleText(option).text}
            </option>
          ))}
        </select>
      ) : (
        <textarea
          {...common}
          rows={Math.min(12, text.split('\n').length)}
          value={text}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
      {about && <small id={`${id}-about`}>{about}</small>}
      {visibleText(text).hidden > 0 && <small class="nw-trouble">Read as: {visibleText(text).text}</small>}
    </div>
  )
}

/** Fields of the schema, and any additional input. */
function fieldsOf(schema: ApprovalRequest['schema'], input: Record<string, unknown>): Field[] {
  const properties = isObject(schema?.properties) ? schema.properties : {}
  const names = new Set([...Object.keys(properties), ...Object.keys(input)])
  return [...names].map((name) => {
    const own = isObject(properties[name]) ? properties[name] : {}
    const options = Array.isArray(own.enum) && own.enum.every((one) => typeof one === 'string') ? own.enum : undefined
    return {
      name,
      type: typeOf(own.type, input[name]),
      ...(typeof own.description === 'string' && { description: own.description }),
      ...(options && { options }),
    }
  })
}

function typeOf(declared: unknown, value: unknown): Field['type'] {
  const type = value === undefined ? declared : typeof value
  if (type === 'string' || type === 'boolean') return type
  return type === 'number' || type === 'integer' ? 'number' : 'json'
}

function textOf({ type }: Field, value: unknown): string {
  if (value === undefined) return ''
  return type === 'string' ? (value as string) : JSON.stringify(value, null, type === 'json' ? 2 : undefined)
}

/** The arguments that the fields say, in the order they were given; a sentence where one cannot be read. */
function readFields(
  fields: readonly Field[],
  texts: Record<string, string>,
  input: Record<string, unknown>,
): Record<string, unknown> | string {
  const read: Record<string, unknown> = {}
  for (const { name, type } of fields) {
    const text = texts[name] ?? ''
    if (text === '' && !(type === 'string' && name in input)) continue
    if (type === 'string') read[name] = text
    else {
      try {
        read[name] = JSON.parse(text)
      } catch {
        return `${name} is not ${type === 'json' ? 'valid JSON' : `a ${type}`}.`
      }
      if (type === 'number' && typeof read[name] !== 'number') return `${name} is not a number.`
    }
  }
  return read
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
