import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { PanelAnswer } from '../../core/approval/index.js'
import { visibleText } from '../../core/text/index.js'

/** A key that was on its way when the panel appeared was meant for something else. */
const deafMs = 400

export interface PanelFrameProps {
  title: string
  /** What the button says that allows. */
  allow: string
  /** Undefined while there is nothing to say yes to. */
  onAllow: (() => PanelAnswer) | undefined
  /** What Enter may mean. */
  safeDefault: 'allow' | 'deny'
  /** Where the keyboard is at first, unless the person is writing. */
  focus: 'allow' | 'deny' | 'panel'
  /** Sends the answer; a sentence when it was not taken. */
  answer(answer: PanelAnswer): Promise<string | undefined>
  denyLabel?: string
  children: ComponentChildren
  /** Between what is shown and the buttons. */
  options?: ComponentChildren
}

/** The frame of every panel: Escape says no, and Enter says yes only where that can do no harm. */
export function PanelFrame(props: PanelFrameProps) {
  const { title, allow, onAllow, safeDefault, focus, denyLabel = 'Deny' } = props
  const id = useId()
  const shownAt = useRef(performance.now())
  const frame = useRef<HTMLDivElement>(null)
  const allowButton = useRef<HTMLButtonElement>(null)
  const denyButton = useRef<HTMLButtonElement>(null)
  const [words, setWords] = useState<string | undefined>()
  const [said, setSaid] = useState<string | undefined>()
  const [isSent, setSent] = useState(false)

  useEffect(() => {
    if (isWriting(frame.current!.ownerDocument)) return
    const first = { allow: allowButton, deny: denyButton, panel: frame }[focus]
    first.current?.focus({ preventScroll: true })
  }, [])

  async function send(answer: PanelAnswer): Promise<void> {
    if (isSent) return
    setSent(true)
    const refusal = await props.answer(answer)
    setSaid(refusal)
    if (refusal !== undefined) setSent(false)
  }
  const deny = () => send({ verdict: 'deny', ...(words?.trim() && { words: words.trim() }) })

  function onKeyDown(event: KeyboardEvent): void {
    if (event.isComposing || event.defaultPrevented) return
    if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      void deny()
    }
    if (event.key === 'Enter' && !mayEnter(event)) event.preventDefault()
  }

  /** Of keys that a field or another button has use for, none is taken away. */
  function mayEnter({ target, ctrlKey, metaKey }: KeyboardEvent): boolean {
    if (performance.now() - shownAt.current < deafMs) return false
    if (target !== allowButton.current || safeDefault === 'allow' || ctrlKey || metaKey) return true
    setSaid('Enter alone does not allow this. Press Space on the button, or click it.')
    return false
  }

  return (
    <div role="group" class="nw-panel" ref={frame} tabIndex={-1} aria-labelledby={id} data-panel onKeyDown={onKeyDown}>
      <h3 id={id}>{visibleText(title).text}</h3>
      <div class="nw-panel-body">{props.children}</div>
      {props.options}
      {words !== undefined && (
        <label class="nw-field">
          What the model should know
          <input
            type="text"
            value={words}
            onInput={(event) => setWords(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.isComposing) return
              event.preventDefault()
              void deny()
            }}
          />
        </label>
      )}
      <p role="status" class="nw-trouble">
        {said && visibleText(said).text}
      </p>
      <div class="nw-buttons">
        <button
          type="button"
          class="nw-allow mod-cta"
          ref={allowButton}
          disabled={onAllow === undefined || isSent}
          onClick={() => onAllow && void send(onAllow())}
        >
          {allow}
        </button>
        <button type="button" ref={denyButton} disabled={isSent} onClick={() => void deny()}>
          {words === undefined ? denyLabel : `${denyLabel} with these words`}
        </button>
        {words === undefined && (
          <button type="button" class="nw-quiet" disabled={isSent} onClick={() => setWords('')}>
            {denyLabel} and say why…
          </button>
        )}
      </div>
    </div>
  )
}

/** Whether the person is in the middle of a sentence: then no panel takes the keyboard from them. */
function isWriting({ activeElement: active }: Document): boolean {
  // Not by its class: every window has classes of its own.
  return active !== null && /^(?:TEXTAREA|INPUT)$/.test(active.tagName) && (active as HTMLInputElement).value !== ''
}
