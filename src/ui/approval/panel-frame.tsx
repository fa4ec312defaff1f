import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { ApprovalRequest, UserAnswer } from '../../core/approval/index.js'
import { bytes, groupDigits, visibleText } from '../../core/text/index.js'
import { type IconName, useHost } from '../ui-host.js'
import type { ApprovalChoices } from './answer.js'

/** Ignores keys pressed before the panel could be noticed. */
const deafMs = 400

interface PanelFrameProps {
  /** ID of the request or batch, for the reason that is typed. */
  request: string
  title: string
  icon?: IconName
  /** One line below the title. */
  about?: ComponentChildren
  /** Label of the allow button. */
  allow: string
  /** Undefined while there is nothing to allow. */
  onAllow: (() => UserAnswer) | undefined
  /** The answer for Enter. */
  safeDefault: 'allow' | 'deny'
  /** Initial focus, unless the user is typing. */
  focus: 'allow' | 'deny' | 'panel'
  /** Sends the answer; a sentence when it was not taken. */
  answer(answer: UserAnswer): Promise<string | undefined>
  denyLabel?: string | undefined
  /** Opens and closes the edit form, if there is something to edit. */
  editing?: { isOpen: boolean; toggle: () => void } | undefined
  children: ComponentChildren
  /** Between the content and the buttons. */
  options?: ComponentChildren
  /** At the end of the footer. */
  remember?: ComponentChildren
}

/** The parts of a card that are kept or rejected one by one. */
const choicesIn = (card: HTMLElement): HTMLElement[] => [...card.querySelectorAll<HTMLElement>('[data-choice]')]

/**
 * The frame of every request: what is asked, and a footer that stays in view. Enter allows only where that is harmless,
 * Ctrl+Enter allows from anywhere in the card. J and K move between changes, Y and N keep and reject one.
 */
export function PanelFrame(props: PanelFrameProps) {
  const { title, icon = 'shield', about, allow, onAllow, safeDefault, focus, denyLabel = 'Deny', editing } = props
  const id = useId()
  const shownAt = useRef(performance.now())
  const frame = useRef<HTMLDivElement>(null)
  const allowButton = useRef<HTMLButtonElement>(null)
  const denyButton = useRef<HTMLButtonElement>(null)
  const reasonField = useRef<HTMLInputElement>(null)
  const { reasons, Icon, areSingleKeysOn } = useHost()
  const [words, setWords] = useState(() => reasons?.read(props.request))
  const [isReasonAsked, setReasonAsked] = useState(false)
  const [said, setSaid] = useState<string | undefined>()
  const [isSent, setSent] = useState(false)
  const [place, setPlace] = useState({ at: -1, of: 0 })

  useEffect(() => {
    if (isWriting(frame.current!.ownerDocument)) return
    const first = { allow: allowButton, deny: denyButton, panel: frame }[focus]
    first.current?.focus({ preventScroll: true })
  }, [])
  useEffect(() => {
    if (isReasonAsked) reasonField.current?.focus()
  }, [isReasonAsked])
  useEffect(findPlace)

  async function send(answer: UserAnswer): Promise<void> {
    if (isSent) return
    setSent(true)
    const refusal = await props.answer(answer)
    setSaid(refusal)
    if (refusal !== undefined) setSent(false)
  }
  function askReason(): void {
    setWords('')
    setReasonAsked(true)
  }
  function writeReason(text: string): void {
    setWords(text)
    reasons?.write(props.request, text || undefined)
  }
  const deny = () => send({ verdict: 'deny', ...(words?.trim() && { words: words.trim() }) })

  function findPlace(): void {
    const all = choicesIn(frame.current!)
    const at = all.findIndex((each) => each.contains(frame.current!.ownerDocument.activeElement))
    setPlace((now) =>
      now.of === all.length && (at < 0 || at === now.at) ? now : { at: at < 0 ? now.at : at, of: all.length },
    )
  }
  function move(by: 1 | -1): void {
    const all = choicesIn(frame.current!)
    const next = all[Math.max(0, Math.min(all.length - 1, place.at + by))]
    next?.focus({ preventScroll: true })
    next?.scrollIntoView({ block: 'nearest' })
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.isComposing || event.defaultPrevented) return
    const { key, ctrlKey, metaKey, altKey } = event
    if (key === 'Enter' && (ctrlKey || metaKey)) {
      event.preventDefault()
      if (!isEarly() && onAllow !== undefined) void send(onAllow())
    } else if (key === 'Enter') {
      if (!mayEnter(event)) event.preventDefault()
    } else if (key === 'Escape' && editing?.isOpen) {
      event.preventDefault()
      event.stopPropagation()
      editing.toggle()
    } else if (!ctrlKey && !metaKey && !altKey && !isField(event.target) && areSingleKeysOn?.() !== false) {
      if (onLetter(key.toLowerCase())) event.preventDefault()
    }
  }

  /** True if the letter does something here. */
  function onLetter(letter: string): boolean {
    if (letter === 'j' || letter === 'k') {
      move(letter === 'j' ? 1 : -1)
      return true
    }
    const choice = letter === 'y' ? 'keep' : letter === 'n' ? 'reject' : undefined
    const current = choicesIn(frame.current!)[place.at]
    if (choice === undefined || current === undefined) return false
    current.querySelector<HTMLElement>(`[data-${choice}]`)?.click()
    return true
  }

  const isEarly = () => performance.now() - shownAt.current < deafMs

  /** Keys that a field or another button uses are not captured. */
  function mayEnter({ target }: KeyboardEvent): boolean {
    if (isEarly()) return false
    if (target !== allowButton.current || safeDefault === 'allow') return true
    setSaid('Enter alone does not allow this. Press Ctrl+Enter, or Space on the button, or click it.')
    return false
  }

  return (
    <div
      role="group"
      class="nw-panel nw-card"
      ref={frame}
      tabIndex={-1}
      aria-labelledby={id}
      data-panel
      onKeyDown={onKeyDown}
      onFocusIn={findPlace}
    >
      <header class="nw-card-head">
        <span class="nw-tile nw-tile-warn">
          <Icon name={icon} />
        </span>
        <div class="nw-grow">
          <h3 id={id}>{visibleText(title).text}</h3>
          {about && <p class="nw-where">{about}</p>}
        </div>
        {place.of > 1 && (
          <span class="nw-card-places">
            <span class="nw-where" aria-live="polite">
              {place.at < 0 ? `${place.of}` : `${place.at + 1} of ${place.of}`}
            </span>
            <button
              type="button"
              class="nw-btn-plain nw-btn-icon nw-btn-small"
              aria-label="Previous change"
              title="Previous change (K)"
              onClick={() => move(-1)}
            >
              <Icon name="up" />
            </button>
            <button
              type="button"
              class="nw-btn-plain nw-btn-icon nw-btn-small"
              aria-label="Next change"
              title="Next change (J)"
              onClick={() => move(1)}
            >
              <Icon name="down" />
            </button>
          </span>
        )}
      </header>
      <div class="nw-panel-body">{props.children}</div>
      <footer class="nw-card-foot">
        {props.options}
        {words !== undefined && (
          <label class="nw-field">
            Reason (sent to the model)
            <input
              type="text"
              ref={reasonField}
              value={words}
              onInput={(event) => writeReason(event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || event.isComposing || event.ctrlKey || event.metaKey) return
                event.preventDefault()
                void deny()
              }}
            />
          </label>
        )}
        <p role="status" class="nw-trouble">
          {said && visibleText(said).text}
        </p>
        <div class="nw-card-buttons">
          <button
            type="button"
            class="nw-allow nw-btn-main"
            ref={allowButton}
            disabled={onAllow === undefined || isSent}
            onClick={() => onAllow && void send(onAllow())}
          >
            {allow}
            <span class="nw-keys" aria-hidden="true">
              <kbd class="nw-key">Ctrl</kbd>
              <kbd class="nw-key">↵</kbd>
            </span>
          </button>
          <button type="button" class="nw-deny" ref={denyButton} disabled={isSent} onClick={() => void deny()}>
            {words === undefined ? denyLabel : `${denyLabel} with reason`}
          </button>
          {editing && (
            <button type="button" aria-expanded={editing.isOpen} disabled={isSent} onClick={editing.toggle}>
              Edit
            </button>
          )}
          <span class="nw-grow" />
          {words === undefined && (
            <button type="button" class="nw-btn-plain" disabled={isSent} onClick={askReason}>
              Add a reason
            </button>
          )}
          {props.remember}
        </div>
      </footer>
    </div>
  )
}

const isField = (target: EventTarget | null): boolean =>
  /^(?:TEXTAREA|INPUT|SELECT)$/.test((target as HTMLElement | null)?.tagName ?? '') &&
  !/^(?:checkbox|radio)$/.test((target as HTMLInputElement).type)

/** True if the user is in the middle of a sentence: then no panel takes the keyboard from them. */
function isWriting({ activeElement: active }: Document): boolean {
  // Not `instanceof`: every window has its own classes.
  return active !== null && /^(?:TEXTAREA|INPUT)$/.test(active.tagName) && (active as HTMLInputElement).value !== ''
}

/** Keep and Reject for one part of a request. */
export function KeepOrReject({
  of,
  isKept,
  onChoose,
}: {
  of: string
  isKept: boolean
  onChoose: (keep: boolean) => void
}) {
  const { Icon } = useHost()
  return (
    <span class="nw-keep" role="group" aria-label={of}>
      <button
        type="button"
        class="nw-keep-yes"
        data-keep
        aria-label={`Keep ${of}`}
        aria-pressed={isKept}
        onClick={() => onChoose(true)}
      >
        <Icon name="done" /> <span>Keep</span>
      </button>
      <button
        type="button"
        class="nw-keep-no"
        data-reject
        aria-label={`Reject ${of}`}
        aria-pressed={!isKept}
        onClick={() => onChoose(false)}
      >
        <Icon name="close" /> <span>Reject</span>
      </button>
    </span>
  )
}

/** Reason why a note was found, as text; undefined if unknown. */
export type FindReason = (path: string) => string | undefined

/** Notes from which the user picks the ones to send to the model. */
export function PickList({
  request,
  why,
  chosen,
  choose,
}: {
  request: ApprovalRequest
  why?: FindReason | undefined
  chosen: ApprovalChoices
  choose: (next: ApprovalChoices) => void
}) {
  const { pick = [], pickBytes = {} } = request
  const set = (paths: readonly string[], isIn: boolean) => {
    const picked = new Set(chosen.picked)
    for (const path of paths) isIn ? picked.add(path) : picked.delete(path)
    choose({ ...chosen, picked })
  }
  const size = pick.reduce((sum, path) => sum + (chosen.picked.has(path) ? (pickBytes[path] ?? 0) : 0), 0)
  return (
    <fieldset class="nw-pick">
      <legend>Select files to share with AI:</legend>
      <ul>
        {pick.map((path) => {
          const cut = path.lastIndexOf('/') + 1
          return (
            <li key={path}>
              <label>
                <input
                  type="checkbox"
                  checked={chosen.picked.has(path)}
                  onChange={(event) => set([path], event.currentTarget.checked)}
                />
                <span>
                  {visibleText(path.slice(cut)).text}
                  <small>
                    {visibleText(path).text}
                    {[pickBytes[path] !== undefined && bytes(pickBytes[path]), why?.(path)]
                      .filter(Boolean)
                      .map((fact) => ` · ${visibleText(`${fact}`).text}`)}
                  </small>
                </span>
              </label>
            </li>
          )
        })}
      </ul>
      <p class="nw-choices">
        <button type="button" class="nw-btn-plain nw-btn-small" onClick={() => set(pick, true)}>
          Select all
        </button>
        <button type="button" class="nw-btn-plain nw-btn-small" onClick={() => set(pick, false)}>
          Deselect all
        </button>
        <span>{size > 0 && `${bytes(size)}, about ${groupDigits(Math.ceil(size / 4))} tokens`}</span>
      </p>
    </fieldset>
  )
}
