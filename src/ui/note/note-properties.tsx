import type { ComponentChildren } from 'preact'
import { scalarText, visibleJson, visibleText } from '../../core/text/index.js'
import { type IconName, useHost } from '../ui-host.js'
import type { ShownNote } from './note-view.js'

interface NotePropertiesProps {
  note: Pick<ShownNote, 'properties'>
  onTag?: ((tag: string) => void) | undefined
}

/** The properties of a note as a table, each by the type of its value. */
export function NoteProperties({ note: { properties }, onTag }: NotePropertiesProps) {
  const { Icon } = useHost()
  const rows = Object.entries(properties ?? {}).filter(([, value]) => !isEmpty(value))
  if (rows.length === 0) return null
  return (
    <dl class="nw-props" aria-label="Properties">
      {rows.map(([name, value]) => {
        const kind = kindOf(name, value)
        return (
          <div key={name}>
            <dt>
              <Icon name={icons[kind]} />
              <span class="nw-cut">{visibleText(name).text}</span>
            </dt>
            <dd>
              {kind === 'tags' ? (
                <Tags tags={textsIn(value)} onTag={onTag} />
              ) : (
                drawn(Array.isArray(value) ? value.filter((one) => !isEmpty(one)) : value)
              )}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

type PropertyKind = 'tags' | 'list' | 'date' | 'link' | 'number' | 'yes-or-no' | 'text'

const icons: Record<PropertyKind, IconName> = {
  tags: 'tag',
  list: 'list',
  date: 'calendar',
  link: 'link',
  number: 'mark',
  'yes-or-no': 'done',
  text: 'note',
}

function kindOf(name: string, value: unknown): PropertyKind {
  if (/^tags?$/i.test(name)) return 'tags'
  if (Array.isArray(value)) return value.length > 0 && value.every((one) => linkIn(one)) ? 'link' : 'list'
  if (typeof value === 'boolean') return 'yes-or-no'
  if (typeof value === 'number') return 'number'
  if (dateIn(value)) return 'date'
  return linkIn(value) || isAddress(value) ? 'link' : 'text'
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.every(isEmpty))

/** `tags: a, b` and `tags: [a, b]` mean the same. */
const textsIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value : scalarText(value).split(/[\s,]+/))
    .map((one: unknown) => scalarText(one).replace(/^#/, '').trim())
    .filter(Boolean)

function Tags({ tags, onTag }: { tags: readonly string[]; onTag?: ((tag: string) => void) | undefined }) {
  return (
    <>
      {tags.map((tag) =>
        onTag === undefined ? (
          <span class="nw-tag" key={tag}>
            {visibleText(tag).text}
          </span>
        ) : (
          <button type="button" class="nw-tag" key={tag} onClick={() => onTag(tag)}>
            {visibleText(tag).text}
          </button>
        ),
      )}
    </>
  )
}

function drawn(value: unknown): ComponentChildren {
  if (Array.isArray(value))
    return value.map((one, at) => (
      <span key={at} class={linkIn(one) || isAddress(one) ? undefined : 'nw-badge'}>
        {drawn(one)}
      </span>
    ))
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'number') return <span class="nw-number">{value}</span>
  if (typeof value !== 'string') return <code>{visibleJson(JSON.stringify(value))}</code>
  const link = linkIn(value)
  if (link) return <PropertyLink {...link} />
  const date = dateIn(value)
  if (date) return <time dateTime={value}>{date}</time>
  if (isAddress(value))
    return (
      <a href={value} target="_blank" rel="noopener noreferrer nofollow">
        {visibleText(value).text}
      </a>
    )
  return visibleText(value).text
}

function PropertyLink({ target, label }: { target: string; label: string }) {
  const { openNote, hoverNote } = useHost()
  return (
    <button
      type="button"
      class="nw-link"
      onClick={() => openNote(target)}
      onMouseEnter={(event) => hoverNote?.(target, event)}
    >
      {visibleText(label).text}
    </button>
  )
}

/** `[[Note|label]]` as the whole value. */
function linkIn(value: unknown): { target: string; label: string } | undefined {
  if (typeof value !== 'string') return undefined
  const [, target, label] = /^\[\[([^[\]|]+)(?:\|([^[\]]*))?\]\]$/.exec(value.trim()) ?? []
  return target === undefined ? undefined : { target, label: label || target }
}

const isAddress = (value: unknown): value is string => typeof value === 'string' && /^https?:\/\/\S+$/i.test(value)

/** A date, with a time where it has one, in the user's language. */
function dateIn(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const [, year, month, day, hour, minute] =
    /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/.exec(value) ?? []
  if (year === undefined) return undefined
  // As it is written, whatever the time zone.
  const date = new Date(Date.UTC(+year, Number(month) - 1, Number(day), Number(hour ?? 0), Number(minute ?? 0)))
  if (date.getUTCDate() !== Number(day)) return undefined
  return date.toLocaleString(undefined, {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    ...(hour !== undefined && { hour: '2-digit', minute: '2-digit' }),
  })
}
