import { useEffect, useState } from 'preact/hooks'
import { type CheckSource, loadCheck } from '../../../core/check/index.js'
import { type Activity, activityOf } from '../../../core/session/index.js'
import { visibleText } from '../../../core/text/index.js'
import { type ChangeSet, type NotePath, notePath, type Resolution, showChanges } from '../../../core/vault/index.js'
import {
  ActivityView,
  CheckView,
  FailureBox,
  type FixPlan,
  type PlannedDecision,
  SearchPanel,
  useHost,
  type WantedFix,
} from '../../../ui/index.js'
import { drawPanel } from '../draw-panel.js'
import { failureOf } from '../failure-of.js'
import type { NotewrightPlugin } from '../plugin.js'

/** Limits of the listed history. */
const mostCalls = 500
const mostChanges = 200

export function mountActivity(element: HTMLElement, plugin: NotewrightPlugin): void {
  drawPanel(element, plugin.app, <ActivityPanel plugin={plugin} />)
}

/** Loaded when opened; a button refreshes it. */
function ActivityPanel({ plugin }: { plugin: NotewrightPlugin }) {
  const [activity, setActivity] = useState<Activity | undefined>()
  const [trouble, setTrouble] = useState<unknown>()

  async function look(): Promise<void> {
    try {
      const { vault } = await plugin.opened()
      const [calls, requests, changes, undecided] = await Promise.all([
        vault.log.last(mostCalls),
        vault.log.lastRequests(mostCalls),
        vault.notebook.history({ limit: mostChanges }),
        vault.notebook.undecidedChanges(),
      ])
      const isCut = calls.length === mostCalls || requests.length === mostCalls || changes.length === mostChanges
      setActivity(await activityOf(vault, { calls, requests, changes, undecided, isCut }))
      setTrouble(undefined)
    } catch (error) {
      setTrouble(error)
    }
  }
  useEffect(() => void look(), [])
  // The modal shows the effect of the change, with undo.
  const takeBack = (ids: readonly string[]) => void plugin.undo(ids)
  async function planDecision(id: string, note: NotePath, how: Resolution): Promise<PlannedDecision> {
    const { notebook } = (await plugin.opened()).vault
    const set = await notebook.vault.planResolution({ id, decisions: [{ note, how }] })
    const changes = await showChanges(set, (path) => notebook.vault.read(path))
    return { changes, apply: () => notebook.apply(set) }
  }

  return (
    <section aria-label="Activity">
      {trouble !== undefined && (
        <FailureBox failure={failureOf(trouble)} title="The activity can't be shown">
          <button type="button" onClick={() => void look()}>
            Refresh
          </button>
        </FailureBox>
      )}
      {activity && (
        <ActivityView
          activity={activity}
          planDecision={planDecision}
          onLookAgain={() => void look()}
          onUndo={takeBack}
          onReview={takeBack}
        />
      )}
    </section>
  )
}

/** Findings of each kind that are shown at first. */
const findingsShown = 20

export function mountCheck(element: HTMLElement, plugin: NotewrightPlugin): void {
  async function source(signal?: AbortSignal): Promise<CheckSource> {
    const { vault, ready } = await plugin.opened()
    await ready
    const { notebook } = vault
    const read: CheckSource['read'] = (path) => notebook.vault.read(path)
    return { index: notebook.index, read, history: () => notebook.history(), ...(signal && { signal }) }
  }
  async function plan(wanted: WantedFix): Promise<FixPlan & { set: ChangeSet }> {
    const { fixesAsChange } = await loadCheck()
    const { set, left } = await fixesAsChange(wanted, await source())
    const { notebook } = (await plugin.opened()).vault
    return { title: set.title, changes: await showChanges(set, (path) => notebook.vault.read(path)), left, set }
  }
  drawPanel(
    element,
    plugin.app,
    <section aria-label="Check vault">
      <CheckView
        check={async (signal, more) => {
          const { checkReport } = await loadCheck()
          const wanted = more === undefined ? { limit: findingsShown } : { only: [more.kind], limit: more.limit }
          return checkReport(wanted, await source(signal))
        }}
        plan={plan}
        apply={async ({ set }) => (await plugin.opened()).vault.notebook.apply(set)}
      />
    </section>,
  )
}

/** Debounce of typing, since a search blocks the thread. */
const typingMs = 40

export function mountSearch(element: HTMLElement, plugin: NotewrightPlugin): void {
  drawPanel(
    element,
    plugin.app,
    <section aria-label="Search">
      <SearchPanel
        ask={async (wish) => (await plugin.opened()).vault.notebook.index.search(wish)}
        typingMs={typingMs}
      />
    </section>,
  )
}

export function mountRelated(element: HTMLElement, plugin: NotewrightPlugin): void {
  drawPanel(element, plugin.app, <RelatedPanel plugin={plugin} />)
}

type Related = Awaited<ReturnType<typeof look>>

async function look(plugin: NotewrightPlugin, path: string) {
  const { vault, ready } = await plugin.opened()
  await ready
  return vault.notebook.index.related({ path: notePath(path), includeLinked: true })
}

/** Notes related to the open one, with reasons. Updates when another note is opened. */
function RelatedPanel({ plugin }: { plugin: NotewrightPlugin }) {
  const { workspace } = plugin.app
  const { openNote } = useHost()
  const [path, setPath] = useState(() => workspace.getActiveFile()?.path)
  const [related, setRelated] = useState<Related | undefined>()
  const [trouble, setTrouble] = useState<unknown>()

  useEffect(() => {
    const ref = workspace.on('file-open', (file) => file && setPath(file.path))
    return () => workspace.offref(ref)
  }, [workspace])
  useEffect(() => {
    setTrouble(undefined)
    if (path === undefined) return
    let isLate = false
    look(plugin, path).then(
      (found) => isLate || setRelated(found),
      (error) => isLate || setTrouble(error),
    )
    return () => {
      isLate = true
    }
  }, [path])

  if (path === undefined) return <p class="nw-remark">Open a note to see related notes.</p>
  if (trouble !== undefined) return <FailureBox failure={failureOf(trouble)} title="Related notes can't be shown" />
  if (related === undefined) return <p class="nw-remark">Looking…</p>
  return (
    <section aria-label="Related notes" class="notewright-related">
      <h2>{visibleText(related.path).text}</h2>
      {related.notes.length === 0 && <p class="nw-remark">No related notes.</p>}
      <ul>
        {related.notes.map(({ path: other, title, reasons, isLinked }) => (
          <li key={other}>
            <button type="button" onClick={() => openNote(other)}>
              {visibleText(title).text}
            </button>
            <small>
              {isLinked && 'linked · '}
              {visibleText(reasons.join(' · ')).text}
            </small>
          </li>
        ))}
      </ul>
    </section>
  )
}
