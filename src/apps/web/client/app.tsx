import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import { visibleText } from '../../../core/text/index.js'
import { DrawnIcon, MarkdownView, type NotePlace, type UiHost, UiHostProvider } from '../../../ui/index.js'
import { ActivityPane } from './activity-pane.js'
import { getJson } from './ask-server.js'
import { ChatPane } from './chat-pane.js'
import { NotePane } from './note-pane.js'
import type { ModelRow, Overview } from './overview.js'
import { SearchPane } from './search-pane.js'
import { SessionList } from './session-list.js'
import { SidePane } from './side-pane.js'
import { UndoPane } from './undo-pane.js'

type View = 'chat' | 'search' | 'activity'

const views: Record<View, string> = { chat: 'Chat', search: 'Search', activity: 'Activity' }

type Side = { kind: 'note'; target: string; place?: NotePlace } | { kind: 'sessions' } | { kind: 'undo'; ids: string[] }

/** The page: a conversation, and beside it whatever the person looks up. */
export function App({ overview }: { overview: Overview }) {
  const [session, setSession] = useSessionInAddress()
  const [view, setView] = useState<View>('chat')
  const [side, setSide] = useState<Side | undefined>()
  const [said, setSaid] = useState('')
  const [models, setModels] = useState<ModelRow[]>([])

  useEffect(() => {
    getJson<{ models: ModelRow[] }>('models').then(
      (answer) => setModels(answer.models),
      () => setModels([{ model: 'offline', about: 'searches and quotes, without a language model' }]),
    )
  }, [])
  useEffect(jumpToPanel, [])

  const host = useMemo(
    (): UiHost => ({
      Markdown: MarkdownView,
      Icon: DrawnIcon,
      openNote: (target, place) => setSide({ kind: 'note', target, place }),
      notify: setSaid,
    }),
    [],
  )
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
            <button type="button" onClick={() => setSide({ kind: 'sessions' })}>
              <DrawnIcon name="list" /> Conversations
            </button>
            <button
              type="button"
              onClick={() => {
                setSession(undefined)
                setView('chat')
              }}
            >
              <DrawnIcon name="add" /> New
            </button>
          </span>
        </header>
        <p role="status" class={said ? 'page-said' : 'nw-said'}>
          {said && visibleText(said).text}
        </p>
        <main class={side ? 'page-main page-main-side' : 'page-main'}>
          {view === 'search' && <SearchPane />}
          {view === 'activity' && <ActivityPane onUndo={undo} />}
          <div class="page-chat-frame" hidden={view !== 'chat'}>
            <ChatPane
              key={chatKey(session)}
              overview={overview}
              models={models}
              session={session}
              onSession={setSession}
              onUndo={undo}
            />
          </div>
          {side && (
            <SidePane title={titleOf(side)} onClose={close}>
              {side.kind === 'note' && <NotePane target={side.target} place={side.place} vault={overview.vault} />}
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

const titleOf = (side: Side): string =>
  side.kind === 'note' ? visibleText(side.target).text : side.kind === 'sessions' ? 'Conversations' : 'Take back'

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
