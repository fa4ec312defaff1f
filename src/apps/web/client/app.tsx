import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import { visibleText } from '../../../core/text/index.js'
import { DrawnIcon, MarkdownView, type NotePlace, type UiHost, UiHostProvider } from '../../../ui/index.js'
import { ActivityPane } from './activity-pane.js'
import { failureOf, getJson } from './ask-server.js'
import { ChatPane } from './chat-pane.js'
import { GraphPane } from './graph-pane.js'
import { NotePane } from './note-pane.js'
import type { ModelRow, Overview, ProjectRow } from './overview.js'
import { ReviewPane } from './review-pane.js'
import { SearchPane } from './search-pane.js'
import { SessionList } from './session-list.js'
import { SettingsPane } from './settings/settings-pane.js'
import { SidePane } from './side-pane.js'
import { UndoPane } from './undo-pane.js'

type View = 'chat' | 'search' | 'activity' | 'settings'

const views: Record<View, string> = { chat: 'Chat', search: 'Search', activity: 'Activity', settings: 'Settings' }

type Side =
  | { kind: 'note'; target: string; place?: NotePlace }
  | { kind: 'sessions' }
  | { kind: 'review'; ids: string[] }
  | { kind: 'undo'; ids: string[] }
  | { kind: 'graph'; session: string }

/** The page: a conversation, and beside it whatever the person looks up. */
export function App({ overview: first }: { overview: Overview }) {
  const [overview, setOverview] = useState(first)
  const [session, setSession] = useSessionInAddress()
  const [view, setView] = useState<View>('chat')
  const [side, setSide] = useState<Side | undefined>()
  const [said, setSaid] = useState('')
  const [models, setModels] = useState<ModelRow[]>([])
  const [projects, setProjects] = useState<ProjectRow[]>([])
  const [draft, setDraft] = useState('')
  const [project, setProject] = useState('')

  useEffect(() => {
    if (said === '') return
    const timer = setTimeout(() => setSaid(''), saidMs)
    return () => clearTimeout(timer)
  }, [said])
  // Where the server does not answer, what is known stays; the chat says so.
  const lookAtOverview = useCallback(() => void getJson<Overview>('overview').then(setOverview, ignored), [])
  const lookAgain = useCallback(() => {
    getJson<{ models: ModelRow[] }>('models').then((answer) => setModels(answer.models), ignored)
    getJson<{ projects: ProjectRow[] }>('projects').then((answer) => setProjects(answer.projects), ignored)
    lookAtOverview()
  }, [])
  useEffect(lookAgain, [])
  useEffect(jumpToPanel, [])

  const host = useMemo(
    (): UiHost => ({
      Markdown: MarkdownView,
      Icon: DrawnIcon,
      openNote: (target, place) => setSide({ kind: 'note', target, place }),
      notify: setSaid,
      failureOf,
    }),
    [],
  )
  const review = useCallback((ids: string[]) => setSide({ kind: 'review', ids }), [])
  const undo = useCallback((ids: string[]) => setSide({ kind: 'undo', ids }), [])
  const close = () => setSide(undefined)

  return (
    <UiHostProvider value={host}>
      <div class="nw page">
        <header class="page-head">
          <h1>{visibleText(overview.vault).text}</h1>
          <nav aria-label="Views">
            {(Object.keys(views) as View[]).map((name) => (
              <button key={name} type="button" aria-pressed={view === name} onClick={() => setView(name)}>
                {views[name]}
              </button>
            ))}
          </nav>
          <span class="page-actions">
            {session !== undefined && (
              <button type="button" onClick={() => setSide({ kind: 'graph', session })}>
                <DrawnIcon name="graph" /> <span>Graph</span>
              </button>
            )}
            <button type="button" onClick={() => setSide({ kind: 'sessions' })}>
              <DrawnIcon name="list" /> <span>Conversations</span>
            </button>
            <button
              type="button"
              onClick={() => {
                setSession(undefined)
                setView('chat')
              }}
            >
              <DrawnIcon name="add" /> <span>New</span>
            </button>
          </span>
        </header>
        <p role="status" class={said ? 'page-said' : 'nw-said'}>
          {said && visibleText(said).text}
        </p>
        <main class={side ? 'page-main page-main-side' : 'page-main'}>
          {view === 'search' && <SearchPane />}
          {view === 'activity' && <ActivityPane onUndo={undo} onReview={review} />}
          {view === 'settings' && <SettingsPane onChanged={lookAgain} />}
          <div class="page-chat-frame" hidden={view !== 'chat'}>
            <ChatPane
              key={chatKey(session)}
              overview={overview}
              models={models}
              session={session}
              onSession={setSession}
              projects={projects}
              project={project}
              onProject={setProject}
              draft={draft}
              onDraft={setDraft}
              onReview={review}
              onUndo={undo}
              onShow={(wanted) => (wanted === 'sessions' ? setSide({ kind: 'sessions' }) : setView(wanted))}
              onLook={lookAtOverview}
            />
          </div>
          {side && (
            <SidePane title={titleOf(side)} onClose={close}>
              {side.kind === 'note' && <NotePane target={side.target} place={side.place} vault={overview.vault} />}
              {side.kind === 'graph' && <GraphPane question={`session=${encodeURIComponent(side.session)}`} />}
              {side.kind === 'sessions' && (
                <SessionList
                  current={session}
                  onOpen={(id) => {
                    setSession(id)
                    setView('chat')
                    close()
                  }}
                />
              )}
              {side.kind === 'review' && <ReviewPane ids={side.ids} onUndo={undo} />}
              {side.kind === 'undo' && (
                <UndoPane
                  key={side.ids.join()}
                  ids={side.ids}
                  onDone={(text) => {
                    setSaid(text)
                    close()
                  }}
                />
              )}
            </SidePane>
          )}
        </main>
      </div>
    </UiHostProvider>
  )
}

const ignored = () => {}

/** Long enough to be read twice. */
const saidMs = 15_000

const titleOf = (side: Side): string => (side.kind === 'note' ? visibleText(side.target).text : sideTitles[side.kind])

const sideTitles = {
  sessions: 'Conversations',
  review: 'What was changed',
  undo: 'Take back',
  graph: 'Notes of this conversation',
}

/** The one that has just begun is still the same pane. */
const chatKey = (session: string | undefined): string => (session === undefined || session === begun ? 'new' : session)
let begun: string | undefined

/** The conversation is named in the address, so that a page that is loaded again shows the same one. */
function useSessionInAddress(): [string | undefined, (id: string | undefined) => void] {
  const read = () => new URLSearchParams(location.hash.slice(1)).get('session') ?? undefined
  const [session, setSession] = useState(read)
  useEffect(() => {
    const follow = () => setSession(read())
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  const change = useCallback((id: string | undefined) => {
    begun = read() === undefined ? id : undefined
    history.pushState(undefined, '', id === undefined ? location.pathname : `#session=${encodeURIComponent(id)}`)
    setSession(id)
  }, [])
  return [session, change]
}

/** Alt+A goes to what waits for an answer, from wherever one is. */
function jumpToPanel(): () => void {
  const listen = (event: KeyboardEvent) => {
    if (!event.altKey || event.key.toLowerCase() !== 'a') return
    const panel = document.querySelector<HTMLElement>('[data-panel]')
    if (panel === null) return
    event.preventDefault()
    panel.scrollIntoView({ block: 'nearest' })
    panel.focus()
  }
  addEventListener('keydown', listen)
  return () => removeEventListener('keydown', listen)
}
