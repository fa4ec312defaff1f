import { useEffect, useRef, useState } from 'preact/hooks'
import type { CheckReport, ShownFinding } from '../../core/check/index.js'
import type { FailureData } from '../../core/errors.js'
import { count, groupDigits, visibleText } from '../../core/text/index.js'
import type { ShownChange } from '../../core/vault/index.js'
import { FailureBox } from '../chat/failure-box.js'
import { EmptyState, Skeleton } from '../controls/states.js'
import { Fold } from '../fold.js'
import { useHost } from '../ui-host.js'
import { ChangeList } from '../undo/undo-view.js'

/** A change that fixes some findings, before it is applied. */
export interface FixPlan {
  title: string
  changes: readonly ShownChange[]
  /** Findings that it does not fix, each with the reason. */
  left: readonly { id: string; reason: string }[]
}

type FixName = ShownFinding['fixes'][number]['kind']
type Group = CheckReport['groups'][number]

/** Fixes of these findings, or of all findings of the kind. */
export interface WantedFix {
  fixes: FixName[]
  only: Group['kind'][]
  ids?: string[]
}

interface CheckViewProps<Plan extends FixPlan> {
  /** `more`: the kind whose findings are shown up to a higher number. */
  check: (signal: AbortSignal, more?: { kind: Group['kind']; limit: number }) => Promise<CheckReport>
  plan: (wanted: WantedFix) => Promise<Plan>
  /** Applies exactly the shown plan. */
  apply: (plan: Plan) => Promise<unknown>
}

/** Findings of a group that are shown in the end; the command line lists all. */
const mostShown = 500
/** Changes of a plan that are shown; the others are counted. */
const mostChanges = 50

/** The problems of the vault in groups. Each finding opens its note; a fix is shown as a change before it is applied. */
export function CheckView<Plan extends FixPlan>({ check, plan: makePlan, apply }: CheckViewProps<Plan>) {
  const { Icon, failureOf, notify } = useHost()
  const [report, setReport] = useState<CheckReport | undefined>()
  const [trouble, setTrouble] = useState<FailureData | undefined>()
  const [isChecking, setChecking] = useState(false)
  const [open, setOpen] = useState<{ key: string; plan: Plan } | undefined>()
  const running = useRef(new AbortController())

  async function look(): Promise<void> {
    running.current.abort()
    running.current = new AbortController()
    const { signal } = running.current
    setChecking(true)
    setTrouble(undefined)
    setOpen(undefined)
    try {
      const found = await check(signal)
      if (!signal.aborted) setReport(found)
    } catch (error) {
      if (!signal.aborted) setTrouble(failureOf(error))
    }
    if (running.current.signal === signal) setChecking(false)
  }
  useEffect(() => {
    void look()
    return () => running.current.abort()
  }, [])

  function stop(): void {
    running.current.abort()
    setChecking(false)
  }

  async function showMore(kind: Group['kind']): Promise<void> {
    try {
      const found = await check(running.current.signal, { kind, limit: mostShown })
      const next = found.groups.find((group) => group.kind === kind)
      setReport(
        (now) => now && { ...now, groups: now.groups.map((group) => (group.kind === kind ? (next ?? group) : group)) },
      )
    } catch (error) {
      setTrouble(failureOf(error))
    }
  }

  async function propose(key: string, wanted: WantedFix): Promise<void> {
    setTrouble(undefined)
    setOpen(undefined)
    try {
      setOpen({ key, plan: await makePlan(wanted) })
    } catch (error) {
      setTrouble(failureOf(error))
    }
  }

  async function take(plan: Plan): Promise<void> {
    try {
      await apply(plan)
      notify(`${plan.title}. You can undo it in Activity.`)
      await look()
    } catch (error) {
      setTrouble(failureOf(error))
    }
  }

  const total = report?.groups.reduce((sum, group) => sum + group.total, 0) ?? 0
  const proposal = (key: string) =>
    open?.key === key && (
      <Proposal plan={open.plan} onApply={() => void take(open.plan)} onClose={() => setOpen(undefined)} />
    )
  return (
    <div class="nw-activity">
      <div class="nw-check-head">
        <p class="nw-grow" role="status">
          {isChecking ? 'Checking…' : report && (total === 0 ? '' : `${count(total, 'problem')} found`)}
        </p>
        {isChecking ? (
          <button type="button" class="nw-btn-plain" onClick={stop}>
            <Icon name="stop" /> Stop
          </button>
        ) : (
          <button type="button" class="nw-btn-plain" onClick={() => void look()}>
            <Icon name="retry" /> Check again
          </button>
        )}
      </div>
      {trouble && <FailureBox failure={trouble} title="The check was not completed" />}
      {report === undefined && isChecking && <Skeleton label="Checking the vault" />}
      {report && total === 0 && !isChecking && (
        <EmptyState icon="done" title="No problems found">
          Links, attachments, properties and copies of sync programs were checked.
        </EmptyState>
      )}
      <div class="nw-rows">
        {report?.groups.map((group) => (
          <Fold
            key={group.kind}
            class="nw-check-group"
            label={
              <>
                <span class="nw-grow">{group.title}</span> <span class="nw-badge">{groupDigits(group.total)}</span>
              </>
            }
          >
            {() => (
              <>
                <GroupFixes group={group} titles={report.fixTitles} propose={propose} />
                {proposal(group.kind)}
                <ul class="nw-check-list">
                  {group.findings.map((finding) => (
                    <li key={finding.id}>
                      <FindingRow finding={finding} propose={propose} />
                      {proposal(finding.id)}
                    </li>
                  ))}
                </ul>
                {group.findings.length < Math.min(group.total, mostShown) && (
                  <button type="button" class="nw-btn-plain nw-btn-small" onClick={() => void showMore(group.kind)}>
                    Show {group.total > mostShown ? `the first ${mostShown}` : `all ${group.total}`}
                  </button>
                )}
                {group.total > mostShown && group.findings.length >= mostShown && (
                  <p class="nw-remark">{count(group.total - mostShown, 'more problem')} not listed here</p>
                )}
              </>
            )}
          </Fold>
        ))}
      </div>
    </div>
  )
}

interface Proposing {
  propose: (key: string, wanted: WantedFix) => Promise<void>
}

/** One button for each kind of fix that findings of the group have. */
function GroupFixes({ group, titles, propose }: { group: Group; titles: CheckReport['fixTitles'] } & Proposing) {
  const names = [...new Set(group.findings.flatMap(({ fixes }) => fixes.map(({ kind }) => kind)))]
  if (names.length === 0) return null
  return (
    <div class="nw-buttons">
      {names.map((name) => (
        <button
          type="button"
          class="nw-btn-small"
          key={name}
          onClick={() => void propose(group.kind, { fixes: [name], only: [group.kind] })}
        >
          {titles[name]}…
        </button>
      ))}
    </div>
  )
}

/** Groups whose title says everything about a finding. */
const saidByTitle = new Set<Group['kind']>(['empty', 'orphans', 'unlinked'])

function FindingRow({ finding, propose }: { finding: ShownFinding } & Proposing) {
  const { openNote } = useHost()
  const { id, kind, path, line, link, problem, fixes, near } = finding
  return (
    <div class="nw-check-row">
      <div class="nw-grow">
        <button
          type="button"
          class="nw-link"
          onClick={() => openNote(path, line === undefined ? undefined : { lines: [line, line] })}
        >
          {visibleText(path).text}
          {line !== undefined && `, line ${line}`}
        </button>
        {link !== undefined && <code class="nw-check-link">{visibleText(link).text}</code>}
        {!saidByTitle.has(kind) && <p class="nw-facts-line">{visibleText(problem).text}</p>}
        {near && <p class="nw-facts-line">Equally near: {visibleText(near.join(', ')).text}</p>}
      </div>
      <div class="nw-buttons">
        {fixes.map(({ kind: name, title }) => (
          <button
            type="button"
            class="nw-btn-small"
            key={name}
            aria-label={`${visibleText(title).text}: ${visibleText(link ?? path).text}`}
            onClick={() => void propose(id, { fixes: [name], only: [kind], ids: [id] })}
          >
            {visibleText(title).text}
          </button>
        ))}
      </div>
    </div>
  )
}

/** The change as it will be, with Apply. */
function Proposal({ plan, onApply, onClose }: { plan: FixPlan; onApply: () => void; onClose: () => void }) {
  const card = useRef<HTMLDivElement>(null)
  useEffect(() => {
    card.current?.focus()
    card.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const { title, changes, left } = plan
  const isEmpty = changes.length === 0
  return (
    <div class="nw-card nw-check-plan" ref={card} tabIndex={-1} role="group" aria-label="The change">
      <p>
        <strong>{isEmpty ? 'There is nothing to change' : visibleText(title).text}</strong>
      </p>
      {left.slice(0, 5).map(({ id, reason }) => (
        <p class="nw-remark" key={id}>
          Not fixed: {visibleText(reason).text}
        </p>
      ))}
      <div class="nw-check-changes" tabIndex={0} role="group" aria-label="Changed notes">
        <ChangeList changes={changes.slice(0, mostChanges)} />
        {changes.length > mostChanges && (
          <p class="nw-remark">and {count(changes.length - mostChanges, 'more note')}</p>
        )}
      </div>
      <div class="nw-buttons">
        {!isEmpty && (
          <button type="button" class="nw-btn-main" onClick={onApply}>
            Apply
          </button>
        )}
        <button type="button" class="nw-btn-plain" onClick={onClose}>
          {isEmpty ? 'Close' : 'Cancel'}
        </button>
      </div>
    </div>
  )
}
