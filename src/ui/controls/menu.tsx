import type { ComponentChildren } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { visibleText } from '../../core/text/index.js'
import { type IconName, useHost } from '../ui-host.js'

/** An entry of a menu. */
export interface MenuItem {
  label: string
  /** A short explanation under the label. */
  about?: string
  icon?: IconName
  /** For one of several choices: true for the current one. */
  checked?: boolean
  isDanger?: boolean
  /** The keys that do the same. */
  keys?: string
  onChoose: () => void
}

/** Entries between two lines of a menu. */
export interface MenuGroup {
  title?: string
  items: readonly MenuItem[]
}

interface MenuProps {
  /** The name of the button for screen readers; its title too, unless there is a longer one. */
  label: string
  title?: string
  /** Content of the button. */
  children: ComponentChildren
  class?: string
  groups: readonly MenuGroup[]
  /** The element that gets the focus when an entry was chosen; by default the button. */
  onClosed?: (chosen: boolean) => void
}

/** A button that opens a list of choices: arrows move, Escape closes and returns the focus, a letter finds an entry. */
export function Menu({ label, title = label, children, class: name, groups, onClosed }: MenuProps) {
  const { Icon } = useHost()
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  const isChoice = groups.some(({ items }) => items.some(({ checked }) => checked !== undefined))

  useLayoutEffect(() => {
    if (isOpen) show(button.current!, list.current!)
  }, [isOpen])

  useEffect(() => {
    if (!isOpen) return
    const { ownerDocument } = list.current!
    const view = ownerDocument.defaultView!
    const closeOutside = ({ target }: Event) => {
      if (!list.current?.contains(target as Node) && !button.current?.contains(target as Node)) setOpen(false)
    }
    const close = () => setOpen(false)
    ownerDocument.addEventListener('pointerdown', closeOutside, true)
    ownerDocument.addEventListener('scroll', closeOutside, true)
    view.addEventListener('resize', close)
    return () => {
      ownerDocument.removeEventListener('pointerdown', closeOutside, true)
      ownerDocument.removeEventListener('scroll', closeOutside, true)
      view.removeEventListener('resize', close)
    }
  }, [isOpen])

  function close(chosen: boolean): void {
    setOpen(false)
    button.current?.focus()
    onClosed?.(chosen)
  }

  function onKeyDown(event: KeyboardEvent): void {
    const items = [...list.current!.querySelectorAll<HTMLElement>('.nw-item')]
    const at = items.indexOf(list.current!.ownerDocument.activeElement as HTMLElement)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key]
    if (to !== undefined) items[(to + items.length) % items.length]?.focus()
    else if (event.key === 'Escape') close(false)
    else if (event.key === 'Tab') {
      setOpen(false)
      return
    } else if (event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey)
      nextWith(items, at, event.key)?.focus()
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <>
      <button
        type="button"
        class={name}
        ref={button}
        aria-label={label}
        title={title}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          setOpen(true)
        }}
      >
        {children}
      </button>
      {isOpen && (
        <div
          class="nw-menu-list"
          id={id}
          role="menu"
          aria-label={label}
          tabIndex={-1}
          popover="manual"
          ref={list}
          onKeyDown={onKeyDown}
        >
          {groups.map((group, at) => (
            <div role="group" aria-label={group.title} key={at}>
              {at > 0 && group.title === undefined && <hr class="nw-menu-line" />}
              {group.title && <p class="nw-menu-title">{visibleText(group.title).text}</p>}
              {group.items.map((item) => (
                <button
                  key={item.label}
                  type="button"
                  class={item.isDanger ? 'nw-item nw-item-danger' : 'nw-item'}
                  {...roleOf(item)}
                  tabIndex={-1}
                  onClick={() => {
                    close(true)
                    item.onChoose()
                  }}
                >
                  {item.checked ? (
                    <Icon name="done" />
                  ) : item.icon ? (
                    <Icon name={item.icon} />
                  ) : (
                    isChoice && <span class="nw-item-space" />
                  )}
                  <span class="nw-grow">
                    {visibleText(item.label).text}
                    {item.about && <small>{visibleText(item.about).text}</small>}
                  </span>
                  {item.keys && <kbd class="nw-key">{item.keys}</kbd>}
                </button>
              ))}
            </div>
          ))}
        </div>
      )}
    </>
  )
}

const roleOf = ({ checked }: MenuItem) =>
  checked === undefined ? { role: 'menuitem' as const } : { role: 'menuitemradio' as const, 'aria-checked': checked }

/** Above everything, beside its button, on the side that has room. The style reads the place from two variables. */
function show(button: HTMLElement, list: HTMLElement): void {
  list.showPopover()
  const view = list.ownerDocument.defaultView!
  const around = button.getBoundingClientRect()
  const { width, height } = list.getBoundingClientRect()
  const isAbove = around.bottom + gap + height > view.innerHeight - gap && around.top > view.innerHeight / 2
  const top = isAbove ? Math.max(gap, around.top - gap - height) : around.bottom + gap
  const isRight = around.left + width > view.innerWidth - gap
  const left = isRight ? Math.max(gap, around.right - width) : around.left
  list.style.setProperty('--nw-menu-top', `${Math.round(top)}px`)
  list.style.setProperty('--nw-menu-left', `${Math.round(left)}px`)
  const first = list.querySelector<HTMLElement>('[aria-checked="true"]') ?? list.querySelector<HTMLElement>('.nw-item')
  first?.focus()
}

const gap = 6

function nextWith(items: readonly HTMLElement[], at: number, letter: string): HTMLElement | undefined {
  const rest = [...items.slice(at + 1), ...items.slice(0, at + 1)]
  return rest.find(({ textContent }) => textContent?.trim().toLowerCase().startsWith(letter.toLowerCase()))
}
