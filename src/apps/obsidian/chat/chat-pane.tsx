import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type FileReference, modes } from '../../../core/agent/index.js'
import { levelChoices, type UserAnswer, type UserRequest } from '../../../core/approval/index.js'
import { fileFacts } from '../../../core/files.js'
import { matchNotes, type SessionChanges, welcomeQuestions } from '../../../core/session/index.js'
import { count, visibleText } from '../../../core/text/index.js'
import { hashBytes, notePath } from '../../../core/vault/index.js'
import type { PluginVault } from '../../../hosts/obsidian/index.js'
import {
  BrokenTurn,
  type ChatActions,
  ChatPanel,
  conversationSettings,
  FailureBox,
  modelChoice,
  type Suggestion,
  type TranscriptState,
  type TurnState,
  useAttempts,
  useTranscript,
} from '../../../ui/index.js'
import type { ChatView, Proposal } from '../chat-view.js'
import { drawPanel } from '../draw-panel.js'
import { failureOf } from '../failure-of.js'
import type { OpenPlugin } from '../open-plugin.js'
import type { NotewrightPlugin } from '../plugin.js'
import { enableToolCalling, seesNotes, ToolCallingOff } from './tool-calling.js'

export interface ChatPaneProps {
  plugin: NotewrightPlugin
  session: string | undefined
  /** Applied once for each number. */
  proposal?: (Proposal & { number: number }) | undefined
  onSession: (id: string) => void
  /** The element the chat is drawn into; it can move to another window. */
  pane: HTMLElement
}

export function PluginChatPane(props: ChatPaneProps) {
  const opened = useOpenPlugin(props.plugin)
  if (opened === undefined) return <p class="nw-remark">Opening your notes…</p>
  if (opened instanceof Error) return <FailureBox failure={failureOf(opened)} title="Your notes can't be opened" />
  return <OpenChat {...props} opened={opened} />
}

/** One conversation: its messages and calls, and the input. */
function OpenChat({ plugin, session, proposal, onSession, pane, opened }: ChatPaneProps & { opened: OpenPlugin }) {
  const { vault, runningSessions } = opened
  const [text, setText] = useState('')
  const [selection, setSelection] = useState<string | undefined>()
  const [wanted, want] = useState<SessionChanges>({})
  const attempts = useAttempts()
  const { transcript, running } = usePluginConversation(opened, session, pane)
  // A conversation keeps its settings until the user changes them.
  const last = transcript.turns[transcript.turns.length - 1]
  const model = wanted.model ?? last?.model ?? vault.settings.model
  const isPlain = !seesNotes(plugin, model)
  const wish = {
    model,
    mode: isPlain ? 'chat' : (wanted.mode ?? last?.mode ?? vault.settings.mode),
    consent: wanted.consent ?? vault.settings.consent,
  }

  useEffect(() => {
    if (proposal === undefined) return
    if (proposal.isAdded) return setText((typed) => `${typed}${/(?:^|\s)$/.test(typed) ? '' : ' '}${proposal.text}`)
    setText(proposal.text)
    setSelection(proposal.selection)
  }, [proposal?.number])

  const send = (words: string) =>
    attempts.send(async () => {
      const { project } = plugin.settings
      const talk =
        session === undefined
          ? await runningSessions.begin({ ...wish, ...(project && { project }) })
          : await runningSessions.find(session)
      const { id } = talk
      opened.watch(talk)
      if (session === undefined) onSession(id)
      const note = plugin.app.workspace.getActiveFile()?.path
      await runningSessions.ask(id, { text: words, ...(note && { note }), ...(selection && { selection }) }, wish)
      // Text typed in the meantime was not sent, so it stays.
      setText((now) => (now.trim() === words ? '' : now))
      setSelection(undefined)
    })

  const resume = (id: string) =>
    attempts.attempt(async () => {
      opened.watch(await runningSessions.find(id))
      await runningSessions.resumeTurn(id)
    })

  async function enable(): Promise<void> {
    await enableToolCalling(plugin)
    // Only chat was possible until now, so the mode was not a choice.
    want({ ...wanted, mode: vault.settings.mode })
  }

  const askAgain = (turn: TurnState, words: string) =>
    attempts.send(async () => {
      if (session === undefined || turn.id === undefined) return
      opened.watch(await runningSessions.find(session))
      await runningSessions.ask(session, { text: words, insteadOf: turn.id }, wish)
    })
  // The settings and the attempts of the last drawing, for actions that stay the same.
  const now = useRef(askAgain)
  now.current = askAgain

  const actions = useMemo((): ChatActions => {
    const answer = async ({ id, hash, session: asked }: UserRequest, given: UserAnswer) => {
      const receipt = vault.approvalQueue.answer(id, { ...given, hash, session: asked })
      return receipt.ok ? undefined : receipt.message
    }
    return {
      answer,
      undo: (ids) => void plugin.undo(ids),
      askAgain: (turn, words) => void now.current(turn, words),
      showBranch: (turn) =>
        session !== undefined && void attempts.attempt(() => runningSessions.showBranch(session, turn)),
      pictureOf: (file) => (session === undefined ? undefined : storedPicture(vault, session, file)),
    }
  }, [vault, plugin, session])

  return (
    <ChatPanel
      transcript={transcript}
      running={running}
      attempts={attempts}
      actions={actions}
      welcome={
        transcript.turns.length === 0 && session === undefined ? (
          <PluginWelcome vault={vault} model={model} seesNotes={!isPlain} onAsk={(words) => void send(words)} />
        ) : undefined
      }
      brokenOff={
        session !== undefined && (
          <BrokenTurn
            key={session}
            when="for example because Obsidian was closed"
            hasPendingApproval={async () => (await runningSessions.find(session)).pendingApproval() !== undefined}
            onResume={() => void resume(session)}
          />
        )
      }
      remarks={
        <>
          {isPlain && <ToolCallingOff model={model} onEnable={() => void enable()} />}
          {selection && (
            <p class="nw-remark notewright-selection">
              About the selection: {visibleText(selection.slice(0, 80)).text}
              <button type="button" class="nw-btn-plain nw-btn-small" onClick={() => setSelection(undefined)}>
                Remove
              </button>
            </p>
          )}
        </>
      }
      composer={{
        text,
        onText: setText,
        placeholder: 'Ask, or type @ for a note',
        settings: conversationSettings(wish, offered(plugin, model, vault.settings.model, isPlain), (name, value) =>
          want({ ...wanted, [name]: value }),
        ),
        suggest: async ({ sign, wanted: typed }) => (sign === '@' ? suggestNotes(opened, typed) : []),
        onSend: () => void send(text.trim()),
        onStop: () => session !== undefined && runningSessions.stop(session),
      }}
    />
  )
}

function offered({ settings }: NotewrightPlugin, model: string, configured: string, isPlain: boolean) {
  const models = [...new Set([model, configured, ...settings.models])].filter((one) => one !== 'offline')
  return {
    models: [...models, 'offline'].map((one) => modelChoice(one)),
    modes: isPlain ? ['chat'] : modes,
    levels: levelChoices,
  }
}

async function suggestNotes({ vault }: OpenPlugin, wanted: string): Promise<Suggestion[]> {
  const notes = matchNotes(wanted, await vault.notebook.index.files())
  return notes.slice(0, 8).map(({ label, path }) => ({ label, about: path, icon: 'note', insert: `@[[${label}]]` }))
}

/** Draws the conversation into its pane. Answers how to draw it again when the view has changed. */
export function mountChat(element: HTMLElement, view: ChatView, plugin: NotewrightPlugin): () => void {
  let proposals = 0
  let shown = view.proposal
  const draw = () => {
    if (shown !== view.proposal) proposals++
    shown = view.proposal
    drawPanel(
      element,
      view.app,
      <PluginChatPane
        key={plugin.openings}
        plugin={plugin}
        pane={element}
        session={view.session}
        proposal={shown && { ...shown, number: proposals }}
        onSession={(session) => view.show(session)}
      />,
    )
  }
  draw()
  return draw
}

/** Shown before the first question: what is possible, and which data leaves the machine. */
export function PluginWelcome({
  vault,
  model,
  seesNotes,
  onAsk,
}: {
  vault: PluginVault
  model: string
  /** Answers may come from the notes. */
  seesNotes: boolean
  onAsk: (text: string) => void
}) {
  const [questions, setQuestions] = useState<string[]>([])
  const [notes, setNotes] = useState<number | undefined>()
  useEffect(() => {
    let isLate = false
    const { vault: files } = vault.notebook
    const look = async () => {
      const found = await welcomeQuestions({ vault: files, read: (path) => files.read(path) })
      const listed = await files.files()
      if (isLate) return
      setQuestions(found)
      setNotes(listed.filter(({ path }) => path.endsWith('.md')).length)
    }
    // Questions are a suggestion: without them the pane is empty.
    look().catch(() => undefined)
    return () => {
      isLate = true
    }
  }, [vault])
  return (
    <div class="notewright-welcome">
      <p>
        {notes !== undefined && `${count(notes, 'note')}. `}
        {model === 'offline'
          ? "No AI model yet. I'll quote your notes and handle simple requests. Nothing is sent anywhere. Choose a model under Settings → Notewright."
          : `Answers come from ${visibleText(model).text}. Your questions${seesNotes ? ' and the notes it reads' : ''} are sent to this model.`}{' '}
        I ask before changing anything, and you can undo it.
      </p>
      {seesNotes && questions.length > 0 && <p class="nw-remark">Try asking</p>}
      <ul>
        {(seesNotes ? questions : []).map((question) => (
          <li key={question}>
            <button type="button" onClick={() => onAsk(question)}>
              {visibleText(question).text}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

interface Conversation {
  transcript: TranscriptState
  running: boolean
}

/** Follows the events of a session from the first one, as long as this pane shows it. */
export function usePluginConversation(
  { vault, runningSessions }: OpenPlugin,
  session: string | undefined,
  pane: HTMLElement,
): Conversation {
  const [transcript, { add: tell, forget }] = useTranscript((draw) => nextFrame(pane, draw))
  const [running, setRunning] = useState(false)

  useEffect(() => {
    setRunning(false)
    if (session === undefined) return
    const leaving = new AbortController()
    const follow = async () => {
      for await (const told of vault.follow(session, 0, leaving.signal)) {
        if (!leaving.signal.aborted) tell(told)
      }
    }
    const tellRunning = () => setRunning(runningSessions.isRunning(session))
    tellRunning()
    const stopListening = runningSessions.listen(session, tellRunning)
    // A turn that fails ends with an event that says so.
    follow().catch(() => undefined)
    return () => {
      leaving.abort()
      stopListening()
      forget()
    }
  }, [vault, runningSessions, session])

  return { transcript, running }
}

/**
 * By the timers of the window that has the pane, since one out of sight has slow ones; and by those of the main window, in
 * case the other is closed meanwhile. A pane out of sight is drawn seldom.
 */
function nextFrame(pane: HTMLElement, draw: () => void): () => void {
  const ms = pane.doc.hidden ? 200 : 16
  const timers = [...new Set([pane.win, window])].map((of) => ({ of, timer: of.setTimeout(() => drawOnce(), ms) }))
  const callOff = () => {
    for (const { of, timer } of timers) of.clearTimeout(timer)
  }
  const drawOnce = () => {
    callOff()
    draw()
  }
  return callOff
}

/** The open vault; undefined while it opens, an error where it cannot be. */
export function useOpenPlugin(plugin: NotewrightPlugin): OpenPlugin | Error | undefined {
  const [opened, setOpened] = useState<OpenPlugin | Error | undefined>()
  useEffect(() => {
    let isLate = false
    plugin.opened().then(
      (found) => isLate || setOpened(found),
      (error: Error) => isLate || setOpened(error),
    )
    return () => {
      isLate = true
    }
  }, [plugin])
  return opened
}

/**
 * A picture of a conversation as the model saw it; undefined if it is gone or has changed. Nothing is loaded from
 * elsewhere.
 */
export async function storedPicture(
  { sessions, notebook }: PluginVault,
  session: string,
  { from, hash, name }: FileReference,
): Promise<Blob | undefined> {
  const bytes =
    from === 'given' ? await sessions.file(session, hash) : (await notebook.vault.read(notePath(name)))?.bytes
  if (bytes === undefined || hashBytes(bytes) !== hash) return undefined
  // By its bytes and not by its name: nothing but a picture is drawn.
  const facts = fileFacts(name, bytes)
  return facts?.kind === 'image' ? new Blob([bytes.slice()], { type: facts.mediaType }) : undefined
}
