import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { ApprovalRequest } from '../../core/approval/index.js'
import { count, groupDigits, visibleText } from '../../core/text/index.js'
import { useHost } from '../ui-host.js'
import type { ApprovalChoices } from './answer.js'
import { DiffView, HunkList, withHunks } from './changes-body.js'
import { KeepOrReject, StepButtons } from './panel-frame.js'
import { type NoteGroup, noteGroups, type ReviewedNote } from './review-groups.js'
import { VirtualList } from './virtual-list.js'

export interface ReviewProps {
  request: ApprovalRequest
  chosen: ApprovalChoices
  choose: (next: ApprovalChoices) => void
  /** Label of the button that applies what is kept. */
  allow: string
  /** Undefined while nothing is kept. A sentence if the answer was not taken. */
  onAllow: (() => Promise<string | undefined>) | undefined
  onClose: () => void
}

type Row =
  | { kind: 'group'; group: NoteGroup }
  | { kind: 'note'; note: ReviewedNote; group: NoteGroup }
  | { kind: 'more'; group: NoteGroup }

const heights: Record<Row['kind'], number> = { group: 64, note: 36, more: 36 }

/** A change of many notes: grouped, with samples of each group, and kept or rejected by note, group or as a whole. */
export function Review({ request, chosen, choose, allow, onAllow, onClose }: ReviewProps) {
  const { Icon, areSingleKeysOn } = useHost()
  const dialog = useRef<HTMLDialogElement>(null)
  const groups = useMemo(() => noteGroups(request), [request])
  const [closed, setClosed] = useState<ReadonlySet<NoteGroup>>(new Set())
  const [unfolded, setUnfolded] = useState<ReadonlySet<NoteGroup>>(new Set())
  const [current, setCurrent] = useState<ReviewedNote | undefined>(groups[0]?.samples[0])
  const [seen, setSeen] = useState<ReadonlySet<ReviewedNote>>(new Set(groups[0]?.samples.slice(0, 1)))
  const [said, setSaid] = useState<string | undefined>()
  const [isSent, setSent] = useState(false)
  const [isListOpen, setListOpen] = useState(false)
  const rows = useMemo(() => rowsOf(groups, closed, unfolded), [groups, closed, unfolded])
  const notes = useMemo(() => rows.flatMap((row) => (row.kind === 'note' ? [row.note] : [])), [rows])
  const all = useMemo(() => groups.flatMap((group) => group.notes), [groups])

  useLayoutEffect(() => {
    dialog.current!.showModal()
  }, [])
  useEffect(() => {
    dialog.current?.querySelector<HTMLElement>('[aria-current="true"]')?.focus({ preventScroll: true })
  }, [current])

  // Keys can follow each other faster than the dialog is drawn.
  const latest = useRef({ current, chosen })
  latest.current = { current, chosen }

  function show(note: ReviewedNote | undefined): void {
    if (note === undefined) return
    latest.current.current = note
    setCurrent(note)
    setListOpen(false)
    setSeen((before) => new Set(before).add(note))
  }
  const at = current === undefined ? -1 : notes.indexOf(current)
  function move(by: 1 | -1): void {
    const from = latest.current.current === undefined ? -1 : notes.indexOf(latest.current.current)
    show(notes[Math.max(0, Math.min(notes.length - 1, from + by))])
  }
  function keep(some: readonly ReviewedNote[], isKept: boolean): void {
    const keys = some.flatMap((note) => note.keys)
    latest.current.chosen = withHunks(latest.current.chosen, keys, isKept)
    choose(latest.current.chosen)
  }

  async function apply(): Promise<void> {
    if (isSent || onAllow === undefined) return
    setSent(true)
    const refusal = await onAllow()
    setSaid(refusal)
    if (refusal !== undefined) setSent(false)
  }

  function onKeyDown(event: KeyboardEvent): void {
    const { key, ctrlKey, metaKey, altKey } = event
    if (event.isComposing || event.defaultPrevented) return
    if (key === 'Escape') onClose()
    else if (key === 'Enter' && (ctrlKey || metaKey)) void apply()
    else if (ctrlKey || metaKey || altKey) return
    else if (key === 'ArrowDown' || key === 'ArrowUp') move(key === 'ArrowDown' ? 1 : -1)
    else if (areSingleKeysOn?.() !== false && /^[jk]$/i.test(key)) move(key.toLowerCase() === 'j' ? 1 : -1)
    else if (areSingleKeysOn?.() !== false && /^[yn]$/i.test(key) && latest.current.current !== undefined)
      keep([latest.current.current], key.toLowerCase() === 'y')
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  const rejected = all.filter((note) => note.keys.length > 0 && stateOf(note, chosen) === 'rejected').length
  const samples = groups.flatMap((group) => group.samples)
  const checked = samples.filter((note) => seen.has(note)).length
  const hasParts = all.some(({ keys }) => keys.length > 0)

  return (
    <dialog
      class={isListOpen ? 'nw-review nw-review-listed' : 'nw-review'}
      ref={dialog}
      aria-label={`Review: ${visibleText(request.title).text}`}
      onKeyDown={onKeyDown}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <header class="nw-review-top">
        <button type="button" class="nw-btn-plain nw-btn-icon" aria-label="Back to the chat" onClick={onClose}>
          <Icon name="close" />
        </button>
        <h2 class="nw-grow nw-cut">{visibleText(request.title).text}</h2>
        <span class="nw-where nw-review-wide">Nothing is written yet</span>
      </header>
      <VirtualList
        class="nw-review-list"
        label="Notes"
        rows={rows}
        heightOf={({ kind }) => heights[kind]}
        keyOf={rowKey}
        shown={rows.findIndex((row) => row.kind === 'note' && row.note === current)}
      >
        {(row) => {
          switch (row.kind) {
            case 'group':
              return (
                <GroupRow
                  group={row.group}
                  isOpen={!closed.has(row.group)}
                  seen={seen}
                  onToggle={() => setClosed(toggled(closed, row.group))}
                  onKeep={(isKept) => keep(row.group.notes, isKept)}
                />
              )
            case 'more':
              return (
                <button
                  type="button"
                  class="nw-btn-plain nw-btn-small nw-review-more"
                  aria-expanded={unfolded.has(row.group)}
                  onClick={() => setUnfolded(toggled(unfolded, row.group))}
                >
                  {unfolded.has(row.group) ? 'Show samples only' : `${groupDigits(row.group.rest.length)} more`}
                </button>
              )
            default:
              return (
                <button
                  type="button"
                  class="nw-review-note nw-btn-plain"
                  aria-current={row.note === current}
                  tabIndex={row.note === current ? 0 : -1}
                  onClick={() => show(row.note)}
                >
                  <span class={seen.has(row.note) ? 'nw-review-mark nw-review-seen' : 'nw-review-mark'}>
                    {seen.has(row.note) && <Icon name="done" />}
                  </span>
                  <span class="nw-cut nw-grow">{visibleText(row.note.name).text}</span>
                  {seen.has(row.note) && <span class="nw-said">looked at</span>}
                  <NoteState note={row.note} chosen={chosen} />
                </button>
              )
          }
        }}
      </VirtualList>
      <section class="nw-review-main" aria-label="Changes of the selected note">
        <div class="nw-review-head">
          <button
            type="button"
            class="nw-btn-plain nw-btn-icon nw-btn-small nw-review-narrow"
            aria-label="All notes"
            aria-expanded={isListOpen}
            onClick={() => setListOpen(!isListOpen)}
          >
            <Icon name="list" />
          </button>
          <h3 class="nw-cut">{visibleText(current?.name ?? '').text}</h3>
          <span class="nw-where nw-cut nw-grow">{visibleText(current?.folder ?? '').text}</span>
          <span class="nw-where nw-review-wide">
            Note {groupDigits(at + 1)} of {groupDigits(notes.length)}
          </span>
          <StepButtons of="note" onStep={move} />
          {current && current.keys.length > 0 && (
            <KeepOrReject
              of={`all changes of ${visibleText(current.name).text}`}
              isKept={stateOf(current, chosen) !== 'rejected'}
              onChoose={(isKept) => keep([current], isKept)}
            />
          )}
        </div>
        <div class="nw-review-body">
          {current && <NoteChanges request={request} note={current} chosen={chosen} choose={choose} />}
        </div>
      </section>
      <footer class="nw-review-bar">
        <div class="nw-review-count">
          <span class="nw-where" role="status">
            {checked} of {count(samples.length, 'sample')} looked at
            {rejected > 0 && ` · ${count(rejected, 'note')} rejected`}
          </span>
          <progress aria-label="Samples looked at" value={checked} max={samples.length} />
        </div>
        <span class="nw-trouble">{said && visibleText(said).text}</span>
        <span class="nw-grow" />
        <span class="nw-where nw-review-wide">One undo for everything</span>
        {hasParts && (
          <>
            <button type="button" class="nw-btn-plain nw-btn-danger" onClick={() => keep(all, false)}>
              Reject all
            </button>
            <button type="button" onClick={() => keep(all, true)}>
              Keep all
            </button>
          </>
        )}
        <button
          type="button"
          class="nw-btn-main"
          disabled={onAllow === undefined || isSent}
          onClick={() => void apply()}
        >
          {isSent ? 'Applying…' : allow}
        </button>
      </footer>
    </dialog>
  )
}

function toggled(set: ReadonlySet<NoteGroup>, group: NoteGroup): ReadonlySet<NoteGroup> {
  const next = new Set(set)
  if (!next.delete(group)) next.add(group)
  return next
}

function rowsOf(
  groups: readonly NoteGroup[],
  closed: ReadonlySet<NoteGroup>,
  unfolded: ReadonlySet<NoteGroup>,
): readonly Row[] {
  return groups.flatMap((group): Row[] => {
    if (closed.has(group)) return [{ kind: 'group', group }]
    const notes = unfolded.has(group) ? [...group.samples, ...group.rest] : group.samples
    return [
      { kind: 'group', group },
      ...notes.map((note) => ({ kind: 'note' as const, note, group })),
      ...(group.rest.length > 0 ? [{ kind: 'more' as const, group }] : []),
    ]
  })
}

const rowKey = (row: Row): string =>
  row.kind === 'note' ? `note ${row.group.title} ${row.note.path}` : `${row.kind} ${row.group.title}`

function stateOf({ keys }: ReviewedNote, { hunks }: ApprovalChoices): 'kept' | 'rejected' | 'part' {
  const kept = keys.filter((key) => hunks.has(key)).length
  return kept === keys.length ? 'kept' : kept === 0 ? 'rejected' : 'part'
}

function NoteState({ note, chosen }: { note: ReviewedNote; chosen: ApprovalChoices }) {
  const state = stateOf(note, chosen)
  return (
    <>
      {state === 'rejected' && <span class="nw-badge nw-badge-bad">Rejected</span>}
      {state === 'part' && <span class="nw-badge">In part</span>}
      <span class="nw-where">
        {note.added > 0 && `+${note.added}`}
        {note.removed > 0 && ` −${note.removed}`}
      </span>
    </>
  )
}

function GroupRow({
  group,
  isOpen,
  seen,
  onToggle,
  onKeep,
}: {
  group: NoteGroup
  isOpen: boolean
  seen: ReadonlySet<ReviewedNote>
  onToggle: () => void
  onKeep: (isKept: boolean) => void
}) {
  const { Icon } = useHost()
  const title = visibleText(group.title).text
  const isInParts = group.notes.some(({ keys }) => keys.length > 0)
  return (
    <div class="nw-review-group" role="group" aria-label={title}>
      <button type="button" class="nw-btn-plain nw-review-fold" aria-expanded={isOpen} onClick={onToggle}>
        <Icon name={isOpen ? 'down' : 'fold'} />
        <b class="nw-cut nw-grow">{title}</b>
        <span class="nw-where">{groupDigits(group.notes.length)}</span>
      </button>
      <div class="nw-review-group-line">
        <span class="nw-where nw-grow">
          {group.samples.filter((note) => seen.has(note)).length} of {count(group.samples.length, 'sample')} looked at
        </span>
        {isInParts && (
          <>
            <button
              type="button"
              class="nw-btn-plain nw-btn-small"
              aria-label={`Keep all of ${title}`}
              onClick={() => onKeep(true)}
            >
              Keep
            </button>
            <button
              type="button"
              class="nw-btn-plain nw-btn-small"
              aria-label={`Reject all of ${title}`}
              onClick={() => onKeep(false)}
            >
              Reject
            </button>
          </>
        )}
      </div>
    </div>
  )
}

function NoteChanges({
  request,
  note,
  chosen,
  choose,
}: {
  request: ApprovalRequest
  note: ReviewedNote
  chosen: ApprovalChoices
  choose: (next: ApprovalChoices) => void
}) {
  return (
    <>
      {note.changes.map((at) => {
        const change = request.changes?.[at]
        const parts = request.hunks?.find((own) => own.change === at)
        if (change === undefined) return null
        if (parts) return <HunkList key={at} change={change} parts={parts} chosen={chosen} choose={choose} />
        if (change.diff) return <DiffView key={at} diff={change.diff} label={`Changes in ${change.path}`} />
        return <p key={at}>{change.to ? `Moves to ${visibleText(change.to).text}` : 'Moves to trash'}</p>
      })}
    </>
  )
}
