import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { visibleText } from '../../../core/text/index.js'
import {
  DrawnIcon,
  type NoteLocation,
  type SearchQuery,
  Toast,
  type UiHost,
  UiHostProvider,
} from '../../../ui/index.js'
import { failureOf, getJson } from './ask-server.js'
import { ChatPane } from './chat-pane.js'
import { addToDraft, reasonDrafts, writeDraft } from './drafts.js'
import { type OpenNote, useNoteInAddress } from './notes/note-in-address.js'
import type { ModelRow, Overview, ProjectRow } from './overview.js'
import { ChatHeader } from './shell/chat-header.js'
import { titleOf } from './shell/chat-list.js'
import { focusApproval, focusQuestion, focusSearch } from './shell/focus.js'
import { areSingleKeysOn, keysOf, useShortcuts } from './shell/keyboard.js'
import { lazy } from './shell/lazy.js'
import { noteName } from './shell/note-tree.js'
import type { PaletteCommand } from './shell/palette.js'
import { SidePane } from './shell/side-pane.js'
import { Sidebar } from './shell/sidebar.js'
import { readStored, store } from './shell/stored.js'
import { chosenTheme } from './shell/theme.js'
import { useChats } from './shell/use-chats.js'
import { type View, viewTitles } from './views.js'

const panes = () => import('./panes.js')
const NotePane = lazy(async () => (await import('./notes/note-pane.js')).NotePane)
const GraphPane = lazy(async () => (await panes()).GraphPane)
const ReviewPane = lazy(async () => (await panes()).ReviewPane)
const UndoPane = lazy(async () => (await panes()).UndoPane)
const SearchPane = lazy(async () => (await import('./notes/search-pane.js')).SearchPane)
const ActivityPane = lazy(async () => (await panes()).ActivityPane)
const CheckPane = lazy(async () => (await panes()).CheckPane)
const ChatsPane = lazy(async () => (await import('./chats-pane.js')).ChatsPane)
const SettingsPane = lazy(async () => (await import('./settings/settings-pane.js')).SettingsPane)
const Palette = lazy(async () => (await import('./shell/palette.js')).Palette)
const HelpSheet = lazy(async () => (await import('./shell/help-sheet.js')).HelpSheet)
const markdown = () => import('../../../ui/markdown/markdown-view.js')
/** The reader of Markdown is a third of the page, and is not needed before the first answer. */
export const Markdown = lazy(
  async () => (await markdown()).MarkdownView,
  ({ text }) => text,
)
// Libraries and requests of Markdown: loaded when a text first needs them.
const Formula = lazy(
  async () => (await import('./rich/formula.js')).Formula,
  ({ source }) => source,
)
const Embed = lazy(
  async () => (await import('./rich/embed.js')).Embed,
  ({ link }) => link,
)

type Side =
  | { kind: 'note'; target: string; place?: NoteLocation | undefined; title?: string }
  | { kind: 'review'; ids: readonly string[] }
  | { kind: 'undo'; ids: readonly string[] }
  | { kind: 'graph'; session: string }

/** The page: sidebar, the view in the middle, and a side pane. */
export function App({ overview: first }: { overview: Overview }) {
  const [overview, setOverview] = useState(first)
  const [session, setSession] = useSessionInAddress()
  const { note, openNote, leaveNote } = useNoteInAddress()
  const [noteTitle, setNoteTitle] = useState('')
  const [plainView, setView] = useState<View>('chat')
  const view: View = note === undefined ? plainView : 'note'
  const [side, setSide] = useState<Side | undefined>()
  const [said, setSaid] = useState('')
  const [models, setModels] = useState<ModelRow[]>([])
  const [projects, setProjects] = useState<ProjectRow[]>([])
  const [project, setProject] = useState('')
  const [theme, setTheme] = useState(chosenTheme)
  const [isHidden, setHidden] = useState(() => readStored(hiddenKey) === 'yes')
  const [isDrawerOpen, setDrawerOpen] = useState(false)
  const [dialog, setDialog] = useState<'palette' | 'help' | undefined>()
  const [section, setSection] = useState('')
  const searched = useRef<SearchQuery>({ words: '', filters: [] })
  const [searches, setSearches] = useState(0)
  const chats = useChats()
  /** How often a turn, an undo or the editor may have changed notes. */
  const [changes, setChanges] = useState(0)
  const mayHaveChanged = useCallback(() => setChanges((before) => before + 1), [])

  // While the server does not respond, the last overview stays; the chat shows the lost connection.
  const lookAtOverview = useCallback(() => void getJson<Overview>('overview').then(setOverview, ignored), [])
  const lookAgain = useCallback(() => {
    getJson<{ models: ModelRow[] }>('models').then((answer) => setModels(answer.models), ignored)
    getJson<{ projects: ProjectRow[] }>('projects').then((answer) => setProjects(answer.projects), ignored)
    lookAtOverview()
  }, [])
  useEffect(lookAgain, [])
  const isReading = overview.freshness !== 'fresh'
  useEffect(() => {
    if (!isReading) return
    const timer = setInterval(lookAtOverview, lookEveryMs)
    return () => clearInterval(timer)
  }, [isReading])
  useEffect(() => {
    // So that the first answer does not wait for it. If it cannot be loaded now, it is loaded when it is drawn.
    markdown().catch(() => {})
  }, [])

  const chat = chats.rows?.find(({ id }) => id === session)
  const title = session === undefined ? 'New chat' : chat ? titleOf(chat) : 'Chat'
  const shownTitle = view === 'chat' ? title : view === 'note' ? noteTitle || viewTitles.note : viewTitles[view]
  useEffect(() => {
    document.title = `${chat && chat.waiting > 0 ? 'Needs you: ' : ''}${shownTitle} – Notewright`
  }, [shownTitle, chat?.waiting])

  const showNote = useCallback((next: OpenNote) => {
    setNoteTitle('')
    openNote(next)
    setSide((now) => (now?.kind === 'note' ? undefined : now))
    setDrawerOpen(false)
  }, [])
  // Beside the chat and the problems of the vault, so that both can be read; from anywhere else a note is a page.
  const opensBeside = useRef(true)
  opensBeside.current = view === 'chat' || view === 'check'
  const showSettingsNow = useRef((_section: string) => {})
  const host = useMemo(
    (): UiHost => ({
      Markdown,
      Icon: DrawnIcon,
      openNote: (target, place) => {
        if (!opensBeside.current) return showNote({ target, place })
        setSide({ kind: 'note', target, place })
        setDrawerOpen(false)
      },
      codeColours: async (text, language) => (await import('./rich/code-colours.js')).colouredCode(text, language),
      Formula,
      drawDiagram: async (text, isDark) => (await import('./rich/diagrams.js')).drawDiagram(text, isDark),
      Embed,
      openSettings: (name) => showSettingsNow.current(name),
      notify: setSaid,
      failureOf,
      reasons: reasonDrafts,
      areSingleKeysOn,
    }),
    [],
  )
  const review = useCallback((ids: readonly string[]) => setSide({ kind: 'review', ids }), [])
  const undo = useCallback((ids: readonly string[]) => setSide({ kind: 'undo', ids }), [])
  const close = () => setSide(undefined)

  const show = useCallback((next: View) => {
    leaveNote()
    setView(next)
    setDrawerOpen(false)
    if (next === 'search') focusSearch()
  }, [])
  const openChat = useCallback((id: string | undefined) => {
    leaveNote()
    setSession(id)
    setView('chat')
    setDrawerOpen(false)
    focusQuestion()
  }, [])
  const begin = useCallback(() => openChat(undefined), [])
  const removed = (id: string) => {
    writeDraft(id, '')
    if (id === session) setSession(undefined)
  }
  const hide = (hidden: boolean) => {
    setHidden(hidden)
    store(hiddenKey, hidden ? 'yes' : undefined)
  }
  const showSettings = (name: string) => {
    setSection(name)
    show('settings')
  }
  showSettingsNow.current = showSettings
  const search = (query: SearchQuery) => {
    searched.current = query
    setSearches((before) => before + 1)
    show('search')
  }
  const searchTag = (tag: string) => search({ words: '', filters: [{ kind: 'tag', value: tag }] })
  const ask = (words: string) => {
    show('chat')
    addToDraft(session, words)
    focusQuestion()
  }

  const askAbout = (path: string) => ask(`${mentionOf(path)} `)

  useShortcuts({
    palette: () => setDialog((now) => (now === 'palette' ? undefined : 'palette')),
    begin,
    search: () => show('search'),
    approval: focusApproval,
    ...(side && dialog === undefined && { close }),
    help: () => setDialog('help'),
  })

  const commands: PaletteCommand[] = [
    { label: 'New chat', also: '/new', icon: 'add', keys: keysOf('begin'), run: begin },
    { label: 'Chats', also: '/sessions', icon: 'chat', run: () => show('chats') },
    {
      label: 'Search',
      also: '/search',
      icon: 'search',
      keys: keysOf('search'),
      run: () => search({ words: '', filters: [] }),
    },
    { label: 'Activity', also: '/activity', icon: 'history', run: () => show('activity') },
    { label: 'Check vault', also: '/check', icon: 'shield', run: () => show('check') },
    { label: 'Settings', also: '/settings', icon: 'settings', run: () => show('settings') },
    ...(session === undefined
      ? []
      : [{ label: 'Notes in this chat', icon: 'graph' as const, run: () => setSide({ kind: 'graph', session }) }]),
    { label: 'Keyboard shortcuts', icon: 'info', keys: keysOf('help'), run: () => setDialog('help') },
    { label: isHidden ? 'Show sidebar' : 'Hide sidebar', icon: 'sidebar', run: () => hide(!isHidden) },
  ]

  return (
    <UiHostProvider value={host}>
      <div class={isHidden ? 'nw page page-no-sidebar' : 'nw page'} data-drop>
        <button type="button" class="page-skip" onClick={() => document.getElementById('main')?.focus()}>
          Skip to content
        </button>
        <Sidebar
          vault={overview.vault}
          notes={{
            isReading,
            version: `${overview.notes} ${isReading} ${changes}`,
          }}
          folder={overview.folder}
          chats={chats}
          view={view}
          session={session}
          note={note?.target ?? (side?.kind === 'note' ? side.target : undefined)}
          theme={theme}
          onTheme={setTheme}
          isDrawerOpen={isDrawerOpen}
          onClose={() => setDrawerOpen(false)}
          onHide={() => hide(true)}
          onShow={show}
          onBegin={begin}
          onOpenChat={openChat}
          onChatRemoved={removed}
          onOpenNote={(target) => showNote({ target })}
        />
        {isDrawerOpen && <div class="page-scrim" aria-hidden="true" onClick={() => setDrawerOpen(false)} />}
        <main class={side ? 'page-main page-main-side' : 'page-main'} id="main" tabIndex={-1}>
          <header class="page-head">
            <button
              type="button"
              class="nw-btn-icon nw-btn-plain page-narrow"
              aria-label="Open sidebar"
              title="Open sidebar"
              aria-expanded={isDrawerOpen}
              onClick={() => setDrawerOpen(true)}
            >
              <DrawnIcon name="menu" />
            </button>
            {isHidden && (
              <button
                type="button"
                class="nw-btn-icon nw-btn-plain page-wide"
                aria-label="Show sidebar"
                title="Show sidebar"
                onClick={() => hide(false)}
              >
                <DrawnIcon name="sidebar" />
              </button>
            )}
            <ChatHeader
              title={shownTitle}
              chat={view === 'chat' ? chat : undefined}
              chats={chats}
              onRemoved={removed}
              onGraph={session === undefined ? undefined : () => setSide({ kind: 'graph', session })}
              onPalette={() => setDialog('palette')}
            />
          </header>
          <div class="page-body">
            {view === 'chats' && (
              <ChatsPane chats={chats} current={session} onOpen={openChat} onBegin={begin} onRemoved={removed} />
            )}
            {view === 'search' && (
              <SearchPane
                key={searches}
                initial={searched.current}
                onAsk={ask}
                onQuery={(query) => {
                  searched.current = query
                }}
              />
            )}
            {note && (
              <NotePane
                key={note.target}
                layout="page"
                target={note.target}
                place={note.place}
                isEditing={note.isEditing}
                onEditing={(isEditing) => openNote({ ...note, isEditing })}
                onExpand={(isEditing) => openNote({ ...note, isEditing })}
                onAsk={askAbout}
                onTag={searchTag}
                onLoaded={(file) => setNoteTitle(file.title)}
              />
            )}
            {view === 'activity' && <ActivityPane onUndo={undo} onReview={review} onOpenChat={openChat} />}
            {view === 'check' && <CheckPane />}
            {view === 'settings' && <SettingsPane section={section} onSection={setSection} onChanged={lookAgain} />}
            <div class="page-chat-frame" hidden={view !== 'chat'}>
              <ChatPane
                key={chatKey(session)}
                overview={overview}
                models={models}
                session={session}
                onSession={openChat}
                projects={projects}
                project={project}
                onProject={setProject}
                onSettings={showSettings}
                onReview={review}
                onUndo={undo}
                onShow={show}
                onLook={lookAtOverview}
                onChanged={chats.look}
                onTurnEnd={mayHaveChanged}
              />
            </div>
            {side && (
              <SidePane title={titleOfSide(side)} onClose={close}>
                {side.kind === 'note' && (
                  <NotePane
                    key={side.target}
                    layout="side"
                    target={side.target}
                    place={side.place}
                    onEditing={() => {}}
                    onExpand={(isEditing) => showNote({ target: side.target, place: side.place, isEditing })}
                    onAsk={askAbout}
                    onTag={searchTag}
                    onLoaded={({ title: name }) => setSide((now) => (now === side ? { ...side, title: name } : now))}
                  />
                )}
                {side.kind === 'graph' && <GraphPane question={`session=${encodeURIComponent(side.session)}`} />}
                {side.kind === 'review' && <ReviewPane ids={side.ids} onUndo={undo} />}
                {side.kind === 'undo' && (
                  <UndoPane
                    key={side.ids.join()}
                    ids={side.ids}
                    onDone={(text) => {
                      mayHaveChanged()
                      setSaid(text)
                      close()
                    }}
                  />
                )}
              </SidePane>
            )}
          </div>
          <div role="status">{said && <Toast key={said} text={said} onClose={() => setSaid('')} />}</div>
        </main>
        {dialog === 'palette' && (
          <Palette
            commands={commands}
            chats={chats.rows ?? []}
            onClose={() => setDialog(undefined)}
            onOpenNote={(target) => showNote({ target })}
            onOpenChat={openChat}
            onSettings={showSettings}
            onSearch={(words) => search({ words, filters: [] })}
            onAsk={ask}
          />
        )}
        {dialog === 'help' && <HelpSheet onClose={() => setDialog(undefined)} />}
      </div>
    </UiHostProvider>
  )
}

const ignored = () => {}

/** While the index is being built. The welcome, which shows the progress, looks more often. */
const lookEveryMs = 3000

/** A note as a question names it. */
const mentionOf = (path: string): string => `@[[${path.replace(/\.md$/i, '')}]]`

const hiddenKey = 'notewright-sidebar-hidden'

const titleOfSide = (side: Side): string => (side.kind === 'note' ? titleOfTarget(side) : sideTitles[side.kind])

/** A link's target as a title: "Garden/Tomatoes.md#Blight" is "Tomatoes › Blight". */
function titleOfTarget({ target, title }: { target: string; title?: string }): string {
  if (title !== undefined) return visibleText(title).text
  const [path = '', ...heading] = target.split('#')
  return visibleText([noteName(path), ...heading.filter((name) => !name.startsWith('^'))].join(' › ')).text
}

const sideTitles = { review: 'Changes', undo: 'Undo', graph: 'Notes in this chat' }

/** A chat that has just begun keeps its pane. */
const chatKey = (session: string | undefined): string => (session === undefined || session === begun ? 'new' : session)
let begun: string | undefined

/** The chat is named in the address, so that a page that is loaded again shows the same one. */
function useSessionInAddress(): [string | undefined, (id: string | undefined) => void] {
  const read = () => new URLSearchParams(location.hash.slice(1)).get('session') ?? undefined
  const [session, setSession] = useState(read)
  useEffect(() => {
    const follow = () => setSession(read())
    addEventListener('hashchange', follow)
    addEventListener('popstate', follow)
    return () => {
      removeEventListener('hashchange', follow)
      removeEventListener('popstate', follow)
    }
  }, [])
  const change = useCallback((id: string | undefined) => {
    if (id === read()) return
    begun = read() === undefined ? id : undefined
    history.pushState(undefined, '', id === undefined ? location.pathname : `#session=${encodeURIComponent(id)}`)
    setSession(id)
  }, [])
  return [session, change]
}
