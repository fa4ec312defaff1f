import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { visibleText } from '../../core/text/index.js'
import { type IconName, useHost } from '../ui-host.js'
import type { Callout } from './read-markdown.js'

/** Kinds of callouts and their other names, with an icon and a colour each. */
const kinds: Record<string, { icon: IconName; colour: string; names: readonly string[] }> = {
  note: { icon: 'edit', colour: 'blue', names: ['note'] },
  abstract: { icon: 'list', colour: 'cyan', names: ['abstract', 'summary', 'tldr'] },
  info: { icon: 'info', colour: 'blue', names: ['info', 'todo'] },
  tip: { icon: 'info', colour: 'cyan', names: ['tip', 'hint', 'important'] },
  success: { icon: 'done', colour: 'green', names: ['success', 'check', 'done'] },
  question: { icon: 'info', colour: 'orange', names: ['question', 'help', 'faq'] },
  warning: { icon: 'warning', colour: 'orange', names: ['warning', 'caution', 'attention'] },
  failure: { icon: 'failed', colour: 'red', names: ['failure', 'fail', 'missing'] },
  danger: { icon: 'warning', colour: 'red', names: ['danger', 'error', 'bug'] },
  example: { icon: 'list', colour: 'purple', names: ['example'] },
  quote: { icon: 'chat', colour: 'grey', names: ['quote', 'cite'] },
}

const kindNamed = new Map(Object.values(kinds).flatMap((kind) => kind.names.map((name) => [name, kind] as const)))

/** `> [!tip]- Title`: a callout with its icon, folded as it was written. */
export function CalloutView({
  callout: { kind, title: own, fold },
  title,
  children,
}: {
  callout: Callout
  title: ComponentChildren
  children: ComponentChildren
}) {
  const { Icon } = useHost()
  const [isOpen, setOpen] = useState(fold !== 'closed')
  const id = useId()
  const { icon, colour } = kindNamed.get(kind) ?? { icon: 'edit' as const, colour: 'blue' }
  const words = visibleText(kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll('-', ' ')).text
  const head = (
    <>
      <Icon name={icon} />
      <span>
        {own.length > 0 ? title : words}
        {own.length > 0 && <span class="nw-said"> ({words})</span>}
      </span>
    </>
  )
  return (
    <div class={`nw-callout nw-callout-${colour}`}>
      {fold === undefined ? (
        <p class="nw-callout-title">{head}</p>
      ) : (
        <button
          type="button"
          class="nw-callout-title"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={() => setOpen(!isOpen)}
        >
          {head}
          <Icon name="fold" />
        </button>
      )}
      {isOpen && children && (
        <div class="nw-callout-body" id={id}>
          {children}
        </div>
      )}
    </div>
  )
}
