import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { visibleText } from '../../core/text/index.js'
import { type IconName, useHost } from '../ui-host.js'
import {
  dateChoices,
  dateRange,
  type FilterKind,
  filterFrom,
  filterNames,
  filterWords,
  type SearchFilter,
  withFilter,
} from './search-filters.js'

/** Values for a filter that contain the typed text, the most used first. */
export type SuggestFilter = (kind: Exclude<FilterKind, 'date'>, wanted: string) => Promise<readonly string[]>

const icons: Record<FilterKind, IconName> = { folder: 'folder', tag: 'tag', property: 'list', date: 'calendar' }

const placeholders: Record<Exclude<FilterKind, 'date'>, string> = {
  folder: 'A folder',
  tag: 'A tag',
  property: 'A property, as status: done',
}

interface FilterBarProps {
  filters: readonly SearchFilter[]
  onFilters: (filters: SearchFilter[]) => void
  suggest?: SuggestFilter | undefined
}

/** The filters as chips: each can be removed, and more can be added. */
export function FilterBar({ filters, onFilters, suggest }: FilterBarProps) {
  const { Icon } = useHost()
  const [adding, setAdding] = useState<FilterKind | undefined>()
  const buttons = useRef<Partial<Record<FilterKind, HTMLButtonElement | null>>>({})
  const add = (filter: SearchFilter) => {
    onFilters(withFilter(filters, filter))
    close()
  }
  const close = () => {
    const button = adding && buttons.current[adding]
    setAdding(undefined)
    button?.focus()
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || adding === undefined) return
    event.preventDefault()
    event.stopPropagation()
    close()
  }
  return (
    <div class="nw-filter-bar" role="group" aria-label="Filters" onKeyDown={onKeyDown}>
      <div class="nw-chips">
        {filters.map((filter) => (
          <span class="nw-chip nw-chip-on" key={`${filter.kind}:${filter.value}`}>
            <Icon name={icons[filter.kind]} />
            <span>{visibleText(filterWords(filter)).text}</span>
            <button
              type="button"
              aria-label={`Remove filter ${visibleText(filterWords(filter)).text}`}
              onClick={() => onFilters(filters.filter((one) => one !== filter))}
            >
              <Icon name="close" />
            </button>
          </span>
        ))}
        {(Object.keys(filterNames) as FilterKind[]).map((kind) => (
          <button
            key={kind}
            type="button"
            class="nw-chip"
            aria-expanded={adding === kind}
            aria-label={`Filter by ${kind}`}
            ref={(button) => {
              buttons.current[kind] = button
            }}
            onClick={() => setAdding(adding === kind ? undefined : kind)}
          >
            <Icon name={icons[kind]} />
            {filterNames[kind]}
          </button>
        ))}
        {filters.length > 0 && (
          <button type="button" class="nw-chip nw-chip-dashed" onClick={() => onFilters([])}>
            Clear all
          </button>
        )}
      </div>
      {adding === 'date' && <DateFilter onAdd={add} />}
      {adding !== undefined && adding !== 'date' && (
        <ValueFilter key={adding} kind={adding} suggest={suggest} onAdd={add} />
      )}
    </div>
  )
}

interface AddFilterProps {
  onAdd: (filter: SearchFilter) => void
}

/** A field with completion. A property is completed in two steps: its name, then its value. */
function ValueFilter({
  kind,
  suggest,
  onAdd,
}: AddFilterProps & { kind: Exclude<FilterKind, 'date'>; suggest?: SuggestFilter | undefined }) {
  const [text, setText] = useState('')
  const [values, setValues] = useState<readonly string[]>([])
  const [at, setAt] = useState(-1)
  const field = useRef<HTMLInputElement>(null)
  const id = useId()
  useEffect(() => field.current?.focus(), [])
  useEffect(() => {
    if (suggest === undefined) return
    let isLate = false
    suggest(kind, text).then(
      (found) => {
        if (isLate) return
        setValues(found)
        setAt(-1)
      },
      // Without suggestions the value is typed.
      () => isLate || setValues([]),
    )
    return () => {
      isLate = true
    }
  }, [kind, text])

  function choose(value: string): void {
    const filter = filterFrom(kind, value)
    if (filter !== undefined) onAdd(filter)
    // The name of a property: its values are next.
    else if (value.trim() !== '') setText(`${value.trim()}: `)
    else field.current?.focus()
  }
  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && values.length > 0)
      setAt((at + step + values.length + (at < 0 && step < 0 ? 1 : 0)) % values.length)
    else if (event.key === 'Enter') choose(values[at] ?? text)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div class="nw-filter-add">
      <input
        ref={field}
        type="text"
        role="combobox"
        aria-label={placeholders[kind]}
        aria-autocomplete="list"
        aria-expanded={values.length > 0}
        aria-controls={id}
        aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined}
        placeholder={placeholders[kind]}
        value={text}
        autoComplete="off"
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div class="nw-filter-values" role="listbox" id={id} aria-label={`Values for ${filterNames[kind].toLowerCase()}`}>
        {values.map((value, index) => (
          <button
            key={value}
            type="button"
            tabIndex={-1}
            id={`${id}-${index}`}
            role="option"
            class="nw-item"
            aria-selected={index === at}
            // The field keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(value)}
          >
            {visibleText(value).text}
          </button>
        ))}
      </div>
    </div>
  )
}

function DateFilter({ onAdd }: AddFilterProps) {
  const [after, setAfter] = useState('')
  const [before, setBefore] = useState('')
  const first = useRef<HTMLButtonElement>(null)
  const id = useId()
  useEffect(() => first.current?.focus(), [])
  const range = dateRange(after, before)
  return (
    <fieldset class="nw-filter-add nw-filter-dates" aria-label="Date of the last change">
      {dateChoices(new Date()).map((choice, at) => (
        <button
          key={choice.value}
          type="button"
          class="nw-chip"
          ref={at === 0 ? first : null}
          onClick={() => onAdd(choice)}
        >
          Changed {choice.value}
        </button>
      ))}
      <span class="nw-filter-range">
        <label for={`${id}-after`}>From</label>
        <input id={`${id}-after`} type="date" value={after} onInput={(event) => setAfter(event.currentTarget.value)} />
        <label for={`${id}-before`}>to</label>
        <input
          id={`${id}-before`}
          type="date"
          value={before}
          onInput={(event) => setBefore(event.currentTarget.value)}
        />
        <button type="button" class="nw-btn-small" disabled={range === undefined} onClick={() => range && onAdd(range)}>
          Add
        </button>
      </span>
    </fieldset>
  )
}
