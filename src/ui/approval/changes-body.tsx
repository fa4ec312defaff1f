import type { ComponentChildren } from 'preact'
import type { ApprovalRequest } from '../../core/approval/index.js'
import { count, visibleText } from '../../core/text/index.js'
import { changedWords, type DiffPart, diffParts, type NumberedLine, type WordPart } from '../../core/vault/index.js'
import { Fold } from '../fold.js'
import type { ApprovalChoices } from './answer.js'
import { KeepOrReject } from './panel-frame.js'

type Changes = NonNullable<ApprovalRequest['changes']>

/** Files of a large change set that are open at first. */
const openAtFirst = 3

const words = { create: 'Create', edit: 'Change', append: 'Add to', move: 'Move', trash: 'Move to trash' }

interface ChangesProps {
  request: ApprovalRequest
  chosen: ApprovalChoices
  choose: (next: ApprovalChoices) => void
}

/** The proposed changes: by hunks that can be kept or rejected if there are any, otherwise as whole diffs. */
export function ChangesBody({ request, chosen, choose }: ChangesProps) {
  const { changes = [], hunks = [], impact } = request
  const isOne = changes.length === 1
  return (
    <>
      {changes.map((change, at) => {
        if (isOne && change.kind === 'move') return <FromTo key={at} change={change} />
        const parts = hunks.find((one) => one.change === at)
        // Link updates of a move are shown as numbers; each can be opened.
        const open = !impact && at < openAtFirst
        const list = parts && (() => <HunkList change={change} parts={parts} chosen={chosen} choose={choose} />)
        if (list && isOne) return <div key={at}>{list()}</div>
        if (change.kind === 'move' && impact) return <FromTo key={at} change={change} />
        return <WholeChange key={at} change={change} open={open} list={list} kept={parts && keptOf(parts, chosen)} />
      })}
    </>
  )
}

/** A note's old and new path, above each other where there is no room. */
function FromTo({ change: { path, to } }: { change: Changes[number] }) {
  return (
    <dl class="nw-from-to">
      <div>
        <dt>From</dt>
        <dd>{visibleText(path).text}</dd>
      </div>
      <div>
        <dt>To</dt>
        <dd>
          <strong>{visibleText(to ?? '').text}</strong>
        </dd>
      </div>
    </dl>
  )
}

type Parts = NonNullable<ApprovalRequest['hunks']>[number]

const keysOf = ({ change, hunks }: Parts): string[] => hunks.map((_, at) => `${change}/${at}`)

const keptOf = (parts: Parts, chosen: ApprovalChoices): string => {
  const keys = keysOf(parts)
  return `${keys.filter((key) => chosen.hunks.has(key)).length} of ${count(keys.length, 'change')}`
}

/** The choices with some hunks kept or rejected. */
export function withHunks(chosen: ApprovalChoices, keys: readonly string[], isKept: boolean): ApprovalChoices {
  const hunks = new Set(chosen.hunks)
  for (const key of keys) isKept ? hunks.add(key) : hunks.delete(key)
  return { ...chosen, hunks }
}

function WholeChange({
  change,
  open,
  list,
  kept,
}: {
  change: Changes[number]
  open: boolean
  list?: (() => ComponentChildren) | undefined
  kept?: string | undefined
}) {
  const { kind, path, to, diff } = change
  const name = (
    <>
      {words[kind]} <strong>{visibleText(path).text}</strong>
      {to && (
        <>
          {' '}
          to <strong>{visibleText(to).text}</strong>
        </>
      )}
      {kept && `: ${kept}`}
    </>
  )
  if (diff === undefined && !list) return <p class="nw-change">{name}</p>
  return (
    <Fold class="nw-change" label={name} open={open}>
      {list ?? (() => <DiffView diff={diff ?? ''} label={`Changes in ${path}`} />)}
    </Fold>
  )
}

/** The hunks of one note, each with Keep and Reject. */
export function HunkList({
  change,
  parts,
  chosen,
  choose,
}: {
  change: Changes[number]
  parts: Parts
  chosen: ApprovalChoices
  choose: (next: ApprovalChoices) => void
}) {
  const keys = keysOf(parts)
  return (
    <div class="nw-hunks">
      {parts.hunks.map((hunk, at) => {
        const isKept = chosen.hunks.has(keys[at]!)
        const of = `the change at line ${hunk.oldLine}`
        return (
          <div
            role="group"
            class={isKept ? 'nw-hunk' : 'nw-hunk nw-hunk-out'}
            key={keys[at]}
            data-choice
            tabIndex={-1}
            aria-label={`Line ${hunk.oldLine}`}
          >
            <header>
              <b class="nw-grow">Line {hunk.oldLine}</b>
              <KeepOrReject of={of} isKept={isKept} onChoose={(keep) => choose(withHunks(chosen, [keys[at]!], keep))} />
            </header>
            <HunkText hunk={hunk} />
          </div>
        )
      })}
      {keys.length > 2 && (
        <p class="nw-choices">
          <button type="button" class="nw-btn-plain nw-btn-small" onClick={() => choose(withHunks(chosen, keys, true))}>
            Keep all
          </button>
          <button
            type="button"
            class="nw-btn-plain nw-btn-small"
            onClick={() => choose(withHunks(chosen, keys, false))}
          >
            Reject all
          </button>
        </p>
      )}
      {change.diff !== undefined && (
        <Fold label="Show context">{() => <DiffView diff={change.diff!} label={`Changes in ${change.path}`} />}</Fold>
      )}
    </div>
  )
}

/** Removed and added words in one text; whole lines where lines come or go. */
export function HunkText({ hunk: { removed, added } }: { hunk: Parts['hunks'][number] }) {
  const isMixed = new Set([...removed, ...added].map((text) => text.endsWith('\r\n'))).size > 1
  const shown = (text: string) => visibleText(isMixed ? text : text.replace(/\r?\n$/, '')).text
  const pairs =
    removed.length === added.length ? removed.map((text, at) => mergedWords(text, added[at] ?? '')) : undefined
  return (
    <div class="nw-words">
      {pairs?.every((pair) => pair !== undefined) && !isMixed ? (
        pairs.map((pair, at) => (
          <p key={at}>
            {pair.map(({ kind, text }, word) =>
              kind === 'kept' ? (
                shown(text)
              ) : kind === 'added' ? (
                <ins key={word}>{shown(text) || '⏎'}</ins>
              ) : (
                <del key={word}>{shown(text) || '⏎'}</del>
              ),
            )}
          </p>
        ))
      ) : (
        <>
          {removed.map((text, at) => (
            <p key={`-${at}`}>
              <del>{shown(text) || '⏎'}</del>
            </p>
          ))}
          {added.map((text, at) => (
            <p key={`+${at}`}>
              <ins>{shown(text) || '⏎'}</ins>
            </p>
          ))}
        </>
      )}
    </div>
  )
}

interface MergedWord {
  kind: 'kept' | 'added' | 'removed'
  text: string
}

/** Both versions of a line in one; undefined if they have too little in common to be read that way. */
function mergedWords(before: string, after: string): MergedWord[] | undefined {
  const changed = changedWords(before, after)
  const merged: MergedWord[] = []
  const left = [...changed.before]
  const right = [...changed.after]
  while (left.length > 0 || right.length > 0) {
    const [old, next] = [left[0], right[0]]
    if (old?.changed) merged.push({ kind: 'removed', text: left.shift()!.text })
    else if (next?.changed) merged.push({ kind: 'added', text: right.shift()!.text })
    else if (old !== undefined && old.text === next?.text) {
      merged.push({ kind: 'kept', text: old.text })
      left.shift()
      right.shift()
    } else return undefined
  }
  return merged.some(({ kind, text }) => kind === 'kept' && text.trim() !== '') ? merged : undefined
}

/** A unified diff with line numbers, with changed words highlighted in replaced lines. Never truncated. */
export function DiffView({ diff, label }: { diff: string; label: string }) {
  return (
    <div role="group" class="nw-diff nw-scroll" aria-label={label} tabIndex={0}>
      {diffParts(diff).map((part, at) => (
        <DiffPartView key={at} part={part} />
      ))}
    </div>
  )
}

function DiffPartView({ part }: { part: DiffPart }) {
  switch (part.kind) {
    case 'replaced':
      return <ReplacedLines removed={part.removed} added={part.added} />
    case 'kept':
      return <Line mark=" " number={part.line.number} parts={[{ text: part.line.text, changed: false }]} />
    case 'gap':
      return <div class="nw-diff-gap">⋯</div>
    case 'remark':
      return <div class="nw-diff-gap">{visibleText(part.text).text}</div>
    default:
      return part satisfies never
  }
}

/** Removed lines and the lines that replace them. */
export function ReplacedLines({
  removed,
  added,
}: {
  removed: readonly NumberedLine[]
  added: readonly NumberedLine[]
}) {
  // Changed line endings are shown; otherwise they match the rest of the note.
  const isMixed = new Set([...removed, ...added].map(({ text }) => text.endsWith('\r'))).size > 1
  const pairs =
    removed.length === added.length ? removed.map(({ text }, at) => changedWords(text, added[at]?.text ?? '')) : []
  const whole = (text: string): WordPart[] => [{ text, changed: false }]
  return (
    <>
      {removed.map(({ number, text }, at) => (
        <Line key={`-${number}`} mark="−" number={number} parts={pairs[at]?.before ?? whole(text)} showsEnd={isMixed} />
      ))}
      {added.map(({ number, text }, at) => (
        <Line key={`+${number}`} mark="+" number={number} parts={pairs[at]?.after ?? whole(text)} showsEnd={isMixed} />
      ))}
    </>
  )
}

const names = { '−': 'removed', '+': 'added', ' ': 'kept' }

function Line({
  mark,
  number,
  parts,
  showsEnd,
}: {
  mark: '−' | '+' | ' '
  number: number
  parts: WordPart[]
  showsEnd?: boolean
}) {
  const words = parts.map(({ text, changed }) => {
    const shown = visibleText(showsEnd ? text : text.replace(/\r$/, '')).text
    if (!changed) return shown
    return mark === '+' ? <ins>{shown}</ins> : <del>{shown}</del>
  })
  return (
    <div class={`nw-diff-line nw-diff-${names[mark]}`}>
      <span class="nw-diff-number" aria-hidden="true">
        {number}
      </span>
      <span class="nw-diff-mark">{mark === ' ' ? '\u00a0' : mark}</span>
      <span class="nw-diff-text">{words}</span>
    </div>
  )
}
