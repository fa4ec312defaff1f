import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { visibleText } from '../../core/text/index.js'
import { Menu, type MenuGroup } from '../controls/menu.js'
import { useHost } from '../ui-host.js'
import type { ComposerSetting } from './conversation-settings.js'
import type { InputMention } from './find-mention.js'
import { isLong, notesIn, type PastedContent } from './pasted-content.js'
import { type Suggestion, useSuggestions } from './use-suggestions.js'

/** Something that goes along with a question. */
export interface Attachment {
  name: string
  about: string
}

export interface ComposerProps {
  text: string
  onText: (text: string) => void
  isRunning: boolean
  /** Reason why sending is blocked. */
  blocked?: string | undefined
  placeholder: string
  settings: readonly ComposerSetting[]
  suggest: (mention: InputMention) => Promise<Suggestion[]>
  /** Attachments sent with the text. */
  attached?: readonly Attachment[]
  /** Receives dropped or pasted content; without it only text is accepted. */
  onAttach?: (given: PastedContent) => void
  onDetach?: (at: number) => void
  onSend: () => void
  onStop: () => void
}

/** The message input. Enter sends, unless an input method is composing; Shift+Enter adds a line; Escape stops. */
export function Composer(props: ComposerProps) {
  const { text, onText, isRunning, blocked, settings, attached = [], onAttach, onSend, onStop } = props
  const { Icon } = useHost()
  const form = useRef<HTMLFormElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const suggestions = useSuggestions(text, props.suggest)
  const { list, marked } = suggestions
  const id = useId()
  const canSend = text.trim() !== '' && !isRunning && blocked === undefined
  const isDropping = useDroppedContent(form, onContent)

  useLayoutEffect(() => grow(field.current!), [text])
  // With the text that it belongs to, and before the next key.
  const nextCursor = useRef<number>(undefined)
  useLayoutEffect(() => {
    if (nextCursor.current === undefined) return
    field.current!.focus()
    field.current!.setSelectionRange(nextCursor.current, nextCursor.current)
    nextCursor.current = undefined
  })

  function take(at: number): void {
    const next = suggestions.taken(text, field.current!.selectionStart, at)
    suggestions.close()
    nextCursor.current = next.cursor
    onText(next.text)
  }

  function lookAtCursor(): void {
    if (suggestions.mention !== undefined) void suggestions.look(text, field.current!.selectionStart)
  }

  function onKeyDown(event: KeyboardEvent): void {
    // While an input method composes, all keys belong to it. Safari marks the last one only by this code.
    if (event.isComposing || event.keyCode === 229) return
    // A fully typed suggestion is sent immediately.
    const cursor = field.current!.selectionStart
    const isWhole =
      list.length > 0 && event.key === 'Enter' && suggestions.taken(text, cursor, marked).text.trim() === text.trim()
    if (isWhole) suggestions.close()
    else if (list.length > 0 && suggestions.onKey(event, take)) return
    if (event.key === 'Enter' && !event.shiftKey && !event.altKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault()
      if (canSend) onSend()
    }
    if (event.key === 'Escape' && isRunning) {
      event.preventDefault()
      onStop()
    }
  }

  /** Files and long texts are attached. True: nothing else is to be done with it. */
  function onContent({ files, text: given }: { files: readonly File[]; text: string }, isDropped: boolean): boolean {
    if (files.length > 0) {
      if (onAttach === undefined) return false
      onAttach({ files })
      return true
    }
    const notes = isDropped ? notesIn(given) : []
    if (notes.length === 0 && isLong(given) && onAttach !== undefined) {
      onAttach({ text: given })
      return true
    }
    if (!isDropped) return false
    const added = notes.length > 0 ? notes.map((note) => `@[[${note}]] `).join('') : given
    onText(`${text}${text === '' || text.endsWith(' ') ? '' : ' '}${added}`)
    field.current?.focus()
    return true
  }

  return (
    <form
      class="nw-composer"
      ref={form}
      onSubmit={(event) => {
        event.preventDefault()
        if (canSend) onSend()
      }}
    >
      {list.length > 0 && (
        <div class="nw-suggestions" role="listbox" id={`${id}-list`} aria-label="Suggestions">
          {list.map(({ label, about, icon }, at) => (
            <div
              key={label}
              class="nw-item"
              role="option"
              tabIndex={-1}
              id={`${id}-${at}`}
              aria-selected={at === marked}
              onMouseDown={(event) => {
                event.preventDefault()
                take(at)
              }}
            >
              {icon && <Icon name={icon} />}
              <span class="nw-grow">
                {visibleText(label).text} {about && <small>{visibleText(about).text}</small>}
              </span>
            </div>
          ))}
        </div>
      )}
      <div class={isDropping ? 'nw-composer-card nw-composer-dropping' : 'nw-composer-card'}>
        {attached.length > 0 && (
          <ul class="nw-attached" aria-label="Attached">
            {attached.map(({ name, about }, at) => (
              <li class="nw-chip" key={at}>
                <Icon name="attach" />
                <b class="nw-cut">{visibleText(name).text}</b> {about}
                <button type="button" aria-label={`Remove ${name}`} onClick={() => props.onDetach?.(at)}>
                  <Icon name="close" />
                </button>
              </li>
            ))}
          </ul>
        )}
        <textarea
          ref={field}
          rows={1}
          value={text}
          aria-label="Your question"
          placeholder={isDropping ? 'Drop to attach' : props.placeholder}
          aria-controls={list.length > 0 ? `${id}-list` : undefined}
          aria-activedescendant={list.length > 0 ? `${id}-${marked}` : undefined}
          aria-autocomplete="list"
          onInput={(event) => {
            const { value, selectionStart } = event.currentTarget
            onText(value)
            void suggestions.look(value, selectionStart)
          }}
          // The cursor may have been moved out of the name.
          onKeyUp={(event) => movingKeys.has(event.key) && lookAtCursor()}
          onClick={lookAtCursor}
          onBlur={suggestions.close}
          onKeyDown={onKeyDown}
        />
        <div class="nw-composer-row">
          <AddButton
            onAttach={onAttach}
            onMention={() => {
              const next = `${text}${text === '' || /\s$/.test(text) ? '' : ' '}@`
              nextCursor.current = next.length
              onText(next)
              void suggestions.look(next, next.length)
            }}
          />
          {settings
            .filter(({ isAtEnd }) => !isAtEnd)
            .map((setting) => (
              <SettingChip key={setting.name} {...setting} />
            ))}
          <span class="nw-grow" />
          {settings
            .filter(({ isAtEnd }) => isAtEnd)
            .map((setting) => (
              <SettingChip key={setting.name} {...setting} />
            ))}
          {isRunning ? (
            <button type="button" class="nw-send nw-send-stop" aria-label="Stop" title="Stop (Esc)" onClick={onStop}>
              <Icon name="stop" />
            </button>
          ) : (
            <button type="submit" class="nw-send" aria-label="Send" title="Send (Enter)" disabled={!canSend}>
              <Icon name="send" />
            </button>
          )}
        </div>
      </div>
      {blocked && <p class="nw-remark">{blocked}</p>}
    </form>
  )
}

const movingKeys = new Set(['ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown'])

/** A setting as its current choice; the others are in its menu, each with what it means. */
function SettingChip({ name, value, choices, icon, more, onChange }: ComposerSetting) {
  const { Icon } = useHost()
  const current = choices.find((choice) => choice.value === value)
  const label = visibleText(current?.label ?? value).text
  const titles = [...new Set(choices.map(({ group }) => group))]
  const groups: MenuGroup[] = titles.map((title) => ({
    ...(title !== undefined && { title }),
    items: choices
      .filter(({ group }) => group === title)
      .map((choice) => ({
        label: choice.label,
        ...(choice.about !== undefined && { about: choice.about }),
        checked: choice.value === value,
        onChoose: () => onChange(choice.value),
      })),
  }))
  if (more) groups.push({ items: [{ label: more.label, icon: 'settings', onChoose: more.onChoose }] })
  return (
    <Menu
      label={`${name}: ${label}`}
      title={current?.about ? `${name}: ${label}. ${current.about}` : `${name}: ${label}`}
      class="nw-btn-plain nw-btn-small nw-setting-chip"
      groups={groups}
    >
      {icon ? <Icon name={icon} /> : <span class={value === 'offline' ? 'nw-dot nw-dot-off' : 'nw-dot nw-dot-ok'} />}
      <span class="nw-setting-label nw-cut">{label}</span>
    </Menu>
  )
}

/** Adds files, or a note by its name. */
function AddButton({
  onAttach,
  onMention,
}: {
  onAttach: ((given: PastedContent) => void) | undefined
  onMention: () => void
}) {
  const { Icon } = useHost()
  const picker = useRef<HTMLInputElement>(null)
  const mention = { label: 'Name a note', icon: 'note' as const, keys: '@', onChoose: onMention }
  return (
    <>
      <Menu
        label={onAttach === undefined ? 'Add a note' : 'Add a file or note'}
        class="nw-btn-plain nw-btn-small nw-btn-icon"
        groups={[
          {
            items: [
              ...(onAttach === undefined
                ? []
                : [
                    {
                      label: 'Attach files',
                      icon: 'attach' as const,
                      onChoose: () => picker.current?.click(),
                    },
                  ]),
              mention,
            ],
          },
        ]}
      >
        <Icon name="add" />
      </Menu>
      {onAttach && (
        <input
          type="file"
          multiple
          hidden
          aria-label="Files to attach"
          ref={picker}
          onChange={({ currentTarget }) => {
            const files = [...(currentTarget.files ?? [])]
            // The same file can be chosen again.
            currentTarget.value = ''
            if (files.length > 0) onAttach({ files })
          }}
        />
      )}
    </>
  )
}

type GivenContent = { files: readonly File[]; text: string }

/**
 * Takes what is pasted or dropped anywhere around the composer: in the element marked with `data-drop`, or else in the
 * form. True while something is dragged over it.
 */
function useDroppedContent(
  form: { readonly current: HTMLFormElement | null },
  onContent: (given: GivenContent, isDropped: boolean) => boolean,
): boolean {
  const [isDragging, setDragging] = useState(false)
  const now = useRef(onContent)
  now.current = onContent
  useEffect(() => {
    const own = form.current!
    const area = own.closest<HTMLElement>('[data-drop]') ?? own
    const isShown = () => own.getClientRects().length > 0
    const over = (event: DragEvent) => {
      if (!isShown()) return
      event.preventDefault()
      setDragging(event.dataTransfer?.types.includes('Files') ?? false)
    }
    const leave = (event: DragEvent) => {
      if (!area.contains(event.relatedTarget as Node | null)) setDragging(false)
    }
    const drop = (event: DragEvent) => {
      setDragging(false)
      if (isShown() && now.current(contentOf(event.dataTransfer), true)) event.preventDefault()
    }
    const paste = (event: ClipboardEvent) => {
      const target = event.target as HTMLElement
      const isElsewhere = !own.contains(target) && /^(?:INPUT|TEXTAREA)$/.test(target.tagName)
      if (isShown() && !isElsewhere && now.current(contentOf(event.clipboardData), false)) event.preventDefault()
    }
    area.addEventListener('dragover', over)
    area.addEventListener('dragleave', leave)
    area.addEventListener('drop', drop)
    area.addEventListener('paste', paste)
    return () => {
      area.removeEventListener('dragover', over)
      area.removeEventListener('dragleave', leave)
      area.removeEventListener('drop', drop)
      area.removeEventListener('paste', paste)
    }
  }, [])
  return isDragging
}

const contentOf = (data: DataTransfer | null): GivenContent => ({
  files: [...(data?.files ?? [])],
  text: data?.getData('text/plain') ?? '',
})

/** As high as its text, up to a third of the window. */
function grow(field: HTMLTextAreaElement): void {
  field.rows = 1
  const shownIn = field.ownerDocument.defaultView ?? window
  const { lineHeight, paddingTop, paddingBottom } = shownIn.getComputedStyle(field)
  const line = Number.parseFloat(lineHeight) || 20
  const padding = Number.parseFloat(paddingTop) + Number.parseFloat(paddingBottom)
  const most = Math.max(3, Math.floor(shownIn.innerHeight / 3 / line))
  field.rows = Math.min(most, Math.max(1, Math.round((field.scrollHeight - padding) / line)))
}
