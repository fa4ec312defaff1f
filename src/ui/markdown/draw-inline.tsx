import type { ComponentChildren } from 'preact'
import { visibleText } from '../../core/text/index.js'
import { useHost } from '../ui-host.js'
import type { Inline } from './markdown-tree.js'
import { plainText } from './read-inline.js'

export const drawInline = (inner: readonly Inline[]): ComponentChildren => inner.map(draw)

const shown = (text: string): string => visibleText(text).text

function draw(one: Inline): ComponentChildren {
  switch (one.kind) {
    case 'text':
      return shown(one.text)
    case 'code':
      return <code>{shown(one.text)}</code>
    case 'emphasis':
      return <em>{drawInline(one.inner)}</em>
    case 'strong':
      return <strong>{drawInline(one.inner)}</strong>
    case 'strike':
      return <del>{drawInline(one.inner)}</del>
    case 'mark':
      return <mark>{drawInline(one.inner)}</mark>
    case 'break':
      return <br />
    case 'link':
      return <AwayLink {...one} />
    case 'note-link':
      return <NoteLink {...one} />
    case 'picture':
      return (
        <span class="nw-inert">
          {shown(`[picture: ${one.label || 'without words'}, not loaded from ${one.target}]`)}
        </span>
      )
    default:
      return one satisfies never
  }
}

/** What a person may be led to by a text that somebody else wrote. */
const openable = /^(?:https?|mailto|obsidian):/i

/** A link that leads away shows where to, unless its words already say so; one of an unknown kind is only words. */
function AwayLink({ target, inner }: Extract<Inline, { kind: 'link' }>) {
  const words = plainText(inner)
  const place = hostOf(target)
  const rest = words.includes(place) && !/[@\\]/.test(words) ? '' : ` (${shown(place)})`
  if (!openable.test(target.trim())) {
    return (
      <span class="nw-inert">
        {drawInline(inner)} ({shown(target)})
      </span>
    )
  }
  return (
    <>
      <a href={target} title={shown(target)} target="_blank" rel="noopener noreferrer nofollow">
        {drawInline(inner)}
      </a>
      {rest && <span class="nw-inert">{rest}</span>}
    </>
  )
}

/** The machine that an address leads to; of others the address itself. */
function hostOf(target: string): string {
  const parsed = URL.canParse(target) ? new URL(target) : undefined
  return parsed?.host || target
}

function NoteLink({ target, label, embed }: Extract<Inline, { kind: 'note-link' }>) {
  const { openNote, hoverNote } = useHost()
  return (
    <button
      type="button"
      class="nw-link"
      title={shown(target)}
      onClick={() => openNote(target)}
      onMouseEnter={(event) => hoverNote?.(target, event)}
    >
      {embed ? `Embedded: ${shown(label)}` : shown(label)}
    </button>
  )
}
