import type { ApprovalRequest } from '../../core/approval/index.js'
import { count, visibleText } from '../../core/text/index.js'
import { Fold } from '../fold.js'
import type { Chosen } from './allow-words.js'
import { DiffView, ReplacedLines } from './diff-view.js'

type Changes = NonNullable<ApprovalRequest['changes']>

/** Files of a large change set that are open at first. */
const openAtFirst = 3

const words = { create: 'Create', edit: 'Change', append: 'Add to', move: 'Move', trash: 'Put in the trash' }

/** What would be written: by parts that can be taken one by one where there are such, else as whole diffs. */
export function ChangesBody({
  request,
  chosen,
  choose,
}: {
  request: ApprovalRequest
  chosen: Chosen
  choose: (next: Chosen) => void
}) {
  const { changes = [], hunks = [], impact } = request
  return (
    <>
      {changes.map((change, at) => {
        const parts = hunks.find((one) => one.change === at)
        // What a move does to links is told in numbers; each of them can be looked at.
        const open = !impact && at < openAtFirst
        if (parts)
          return <HunkList key={at} open={open} change={change} parts={parts} chosen={chosen} choose={choose} />
        return <WholeChange key={at} change={change} open={open} />
      })}
    </>
  )
}

function WholeChange({ change, open }: { change: Changes[number]; open: boolean }) {
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
    </>
  )
  if (diff === undefined) return <p class="nw-change">{name}</p>
  return (
    <Fold class="nw-change" label={name} open={open}>
      {() => <DiffView diff={diff} label={`Changes in ${path}`} />}
    </Fold>
  )
}

function HunkList({
  change,
  parts,
  open,
  chosen,
  choose,
}: {
  change: Changes[number]
  parts: NonNullable<ApprovalRequest['hunks']>[number]
  open: boolean
  chosen: Chosen
  choose: (next: Chosen) => void
}) {
  const keys = parts.hunks.map((_, at) => `${parts.change}/${at}`)
  const accepted = keys.filter((key) => chosen.hunks.has(key)).length
  const set = (some: readonly string[], isIn: boolean) => {
    const hunks = new Set(chosen.hunks)
    for (const key of some) isIn ? hunks.add(key) : hunks.delete(key)
    choose({ ...chosen, hunks })
  }
  const name = (
    <>
      {words[change.kind]} <strong>{visibleText(change.path).text}</strong>: {accepted} of{' '}
      {count(keys.length, 'change')}
    </>
  )
  const list = () => (
    <>
      {keys.length > 1 && (
        <p class="nw-choices">
          <button type="button" class="nw-quiet" onClick={() => set(keys, true)}>
            Accept all
          </button>
          <button type="button" class="nw-quiet" onClick={() => set(keys, false)}>
            Reject all
          </button>
        </p>
      )}
      {parts.hunks.map(({ oldLine, newLine, removed, added }, at) => (
        <div class="nw-hunk" key={keys[at]}>
          <label>
            <input
              type="checkbox"
              checked={chosen.hunks.has(keys[at])}
              onChange={(event) => set([keys[at]], event.currentTarget.checked)}
            />{' '}
            Accept the change at line {oldLine}
          </label>
          <div class="nw-diff">
            <ReplacedLines
              removed={removed.map((text, index) => ({ number: oldLine + index, text }))}
              added={added.map((text, index) => ({ number: newLine + index, text }))}
            />
          </div>
        </div>
      ))}
      {change.diff !== undefined && (
        <Fold label="With the lines around it">
          {() => <DiffView diff={change.diff!} label={`Changes in ${change.path}`} />}
        </Fold>
      )}
    </>
  )
  return (
    <Fold class="nw-change" label={name} open={open}>
      {() => <div class="nw-hunks">{list()}</div>}
    </Fold>
  )
}
