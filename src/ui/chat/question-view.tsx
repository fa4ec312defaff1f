import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { visibleText } from '../../core/text/index.js'
import { Fold } from '../fold.js'
import type { TurnState } from '../transcript/transcript.js'
import { useHost } from '../ui-host.js'
import { CopyButton } from './copy-button.js'
import { Pictures } from './pictures.js'
import type { ChatActions } from './turn-view.js'

/** Longer than this, a question is folded. */
const longQuestion = 12

/** A question in its bubble, with its versions. It is edited in place. */
export function QuestionView({ turn, actions }: { turn: TurnState; actions: ChatActions }) {
  const { Icon } = useHost()
  const [isEditing, setEditing] = useState(false)
  const edit = useRef<HTMLButtonElement>(null)
  const mayEdit = actions.askAgain !== undefined && turn.ended !== undefined && turn.id !== undefined
  const close = () => {
    setEditing(false)
    setTimeout(() => edit.current?.focus(), 0)
  }
  if (isEditing && mayEdit) return <QuestionEditor turn={turn} actions={actions} onClose={close} />
  return (
    <div class="nw-question">
      <div class="nw-bubble">
        <QuestionText text={turn.asked} />
        {turn.given.length > 0 && <Pictures files={turn.given} pictureOf={actions.pictureOf} />}
      </div>
      <div class="nw-acts">
        <Versions turn={turn} actions={actions} />
        <span class="nw-acts-hover">
          {mayEdit && (
            <button
              type="button"
              class="nw-btn-icon nw-btn-plain nw-btn-small"
              aria-label="Edit"
              title="Edit"
              ref={edit}
              onClick={() => setEditing(true)}
            >
              <Icon name="edit" />
            </button>
          )}
          <CopyButton text={() => turn.asked} label="Copy question" />
        </span>
      </div>
    </div>
  )
}

function QuestionText({ text }: { text: string }) {
  const words = visibleText(text).text
  const lines = words.split('\n')
  if (lines.length <= longQuestion && words.length <= 1500) return <p class="nw-source">{words}</p>
  return (
    <>
      <p class="nw-source">{lines.slice(0, 3).join('\n').slice(0, 300)}…</p>
      <Fold label={`All ${lines.length} lines`}>{() => <p class="nw-source">{words}</p>}</Fold>
    </>
  )
}

/** Enter sends, as in the composer. Escape closes it and does nothing else. */
function QuestionEditor({ turn, actions, onClose }: { turn: TurnState; actions: ChatActions; onClose: () => void }) {
  const [text, setText] = useState(turn.asked)
  const field = useRef<HTMLTextAreaElement>(null)
  // Before the next key: the button that had the focus is gone.
  useLayoutEffect(() => {
    field.current?.focus()
    field.current?.setSelectionRange(text.length, text.length)
  }, [])
  const send = () => {
    if (text.trim() === '') return
    actions.askAgain?.(turn, text.trim())
    onClose()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter also confirms a word that is being composed, as in Japanese.
    if (event.isComposing) return
    if (event.key === 'Escape') {
      event.stopPropagation()
      onClose()
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      send()
    }
  }
  return (
    <form
      class="nw-question-editor"
      aria-label="Edit the question"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <textarea
        aria-label="Question"
        rows={Math.min(12, text.split('\n').length + 1)}
        value={text}
        ref={field}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <p class="nw-remark">The answer is a new branch of this chat. The earlier one is kept.</p>
      <div class="nw-buttons">
        <button type="submit" class="nw-btn-main" disabled={text.trim() === ''}>
          Send
        </button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </form>
  )
}

/** The turn and direction of the last switch: its button has the focus in the version that is shown then. */
let switched: { to: string; by: 'earlier' | 'later' } | undefined

/** Which of several versions of a message is shown, and the way to the others. */
function Versions({ turn, actions }: { turn: TurnState; actions: ChatActions }) {
  const { Icon } = useHost()
  const { versions = [], id = '' } = turn
  const group = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    if (switched?.to !== id) return
    const { by } = switched
    switched = undefined
    const buttons = group.current?.querySelectorAll('button') ?? []
    const [earlier, later] = buttons
    const wanted = by === 'earlier' ? [earlier, later] : [later, earlier]
    group.current?.closest('.nw-turn')?.scrollIntoView({ block: 'nearest' })
    wanted.find((button) => button && !button.disabled)?.focus({ preventScroll: true })
  }, [id])
  if (versions.length < 2 || actions.showBranch === undefined) return null
  const at = versions.indexOf(id)
  const show = (to: string | undefined, by: 'earlier' | 'later') => {
    if (to === undefined) return
    switched = { to, by }
    actions.showBranch?.(to)
  }
  return (
    <span class="nw-versions" role="group" aria-label="Versions of this message" ref={group}>
      <button
        type="button"
        class="nw-btn-icon nw-btn-plain nw-btn-small"
        aria-label="Earlier version"
        title="Earlier version"
        disabled={at <= 0}
        onClick={() => show(versions[at - 1], 'earlier')}
      >
        <Icon name="fold" />
      </button>
      <span>
        {at + 1} / {versions.length}
      </span>
      <button
        type="button"
        class="nw-btn-icon nw-btn-plain nw-btn-small"
        aria-label="Later version"
        title="Later version"
        disabled={at === versions.length - 1}
        onClick={() => show(versions[at + 1], 'later')}
      >
        <Icon name="fold" />
      </button>
    </span>
  )
}
