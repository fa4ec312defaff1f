import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { UserAnswer, UserRequest } from '../../../core/approval/index.js'
import {
  BrokenTurn,
  type ChatActions,
  ChatPanel,
  type PastedContent,
  type TranscriptState,
  type TurnState,
  useAttempts,
  useHost,
  waitingPanels,
} from '../../../ui/index.js'
import { failureOf, getJson, getPicture, postJson } from './ask-server.js'
import { type Attached, asRequest, commandIn, readPastedContent, slashCommands, suggest } from './chat-input.js'
import { type ChatSettings, chatSettings, useChatSettings } from './chat-settings.js'
import { moveDraft, readDraft, useDraft, writeDraft } from './drafts.js'
import type { ModelRow, Overview, ProjectRow } from './overview.js'
import { lazy } from './shell/lazy.js'
import { useConversation } from './use-conversation.js'
import type { View } from './views.js'
import { Welcome } from './welcome.js'

interface ChatPaneProps {
  overview: Overview
  models: readonly ModelRow[]
  projects: readonly ProjectRow[]
  session: string | undefined
  /** Project of the next conversation; '' for the whole vault. */
  project: string
  onProject(name: string): void
  onSession(id: string | undefined): void
  onReview(ids: string[]): void
  onUndo(ids: string[]): void
  onShow(view: View): void
  onSettings(section: string): void
  /** A turn began or ended, or the title changed. */
  onChanged(): void
  /** A turn is over that ran while the page was open. */
  onTurnEnd(): void
  /** Reloads models and settings from the server. */
  onLook(): void
}

/** One conversation: its messages and calls, and the input. */
export function ChatPane(props: ChatPaneProps) {
  const { overview, session, onSession, onShow } = props
  const [text, setText] = useDraft(session)
  const { notify } = useHost()
  const [attached, setAttached] = useState<Attached[]>([])
  const attempts = useAttempts()
  const { attempt } = attempts
  const { transcript, running, elsewhere, isConnected } = useConversation(session, notify)
  const settings = useChatSettings(overview, transcript, props)
  const waits = waitingPanels(transcript).length
  useEffect(props.onChanged, [running, waits])
  const wasRunning = useRef(false)
  useEffect(() => {
    if (wasRunning.current && !running) props.onTurnEnd()
    wasRunning.current = running === true
  }, [running])

  const send = (words: string) =>
    attempts.send(async () => {
      const id = session ?? (await postJson<{ id: string }>('sessions', changesOf(settings, true))).id
      if (session === undefined) {
        moveDraft(id)
        onSession(id)
      }
      await postJson(at(id, 'turns'), { ...changesOf(settings), text: words, ...asRequest(attached) })
      // Text and files added in the meantime, such as a question to edit, were not sent, so they stay.
      if (readDraft(id).trim() === words) writeDraft(id, '')
      setAttached((now) => now.filter((one) => !attached.includes(one)))
    })
  const branch = (turns?: number) =>
    attempt(async () => onSession((await postJson<{ id: string }>(at(session!, 'fork'), { at: turns })).id))
  const askAgain = (turn: TurnState, words: string) =>
    attempts.send(() => postJson(at(session!, 'turns'), { ...changesOf(settings), text: words, insteadOf: turn.id }))
  const showBranch = (turn: string) => attempt(() => postJson(at(session!, 'branch'), { turn }))

  const stop = async () => {
    if (session !== undefined) await attempt(() => postJson(at(session, 'stop')))
  }
  const actions = useActions(props, transcript, { branch, askAgain, showBranch, stop })
  const commands = slashCommands({
    begin: () => onSession(undefined),
    show: onShow,
    session:
      session === undefined
        ? undefined
        : {
            branch: () => branch(),
            compact: () => attempt(() => postJson(at(session, 'compact'))),
            rename: (title) => attempt(() => postJson(at(session, 'rename'), { title })),
            undo: () => props.onUndo(lastChange(transcript)),
          },
  })

  function onSend(): void {
    const command = commandIn(text, commands)
    if (command === undefined) return void send(text.trim())
    setText('')
    command.command.run(command.words)
  }
  const attach = (given: PastedContent) =>
    attempt(async () => {
      const read = await readPastedContent(given, attached.length)
      setAttached((before) => [...before, ...read])
    })
  const isLost = session !== undefined && !isConnected && transcript.turns.length > 0

  return (
    <ChatPanel
      transcript={transcript}
      // Unknown while disconnected.
      running={running === false && !isConnected ? undefined : running}
      elsewhere={elsewhere}
      attempts={attempts}
      actions={actions}
      welcome={
        transcript.turns.length === 0 && session === undefined ? (
          <Welcome
            overview={overview}
            model={settings.model}
            onModel={(model) => settings.choose('model', model)}
            onAsk={send}
            onSettings={() => props.onSettings('Models')}
            onLook={props.onLook}
          />
        ) : undefined
      }
      brokenOff={
        session !== undefined && (
          <BrokenTurn
            key={session}
            when="as when the server is started again"
            hasPendingApproval={async () =>
              (await getJson<{ waits?: unknown }>(at(session, 'waiting'))).waits !== undefined
            }
            onResume={() => void attempt(() => postJson(at(session, 'go-on')))}
          />
        )
      }
      remarks={
        <>
          {isLost && (
            <p class="nw-notice" role="status">
              The server does not answer. What is shown may be old; trying again.
            </p>
          )}
          <DraftRelated text={text} except={noNotes} />
        </>
      }
      composer={{
        text,
        onText: setText,
        placeholder: running ? 'Write your next question' : 'Ask a question, or type @ to name a note',
        settings: chatSettings(settings, props),
        suggest: (mention) => suggest(mention, commands),
        attached,
        onAttach: (given) => void attach(given),
        onDetach: (gone) => setAttached(attached.filter((_, index) => index !== gone)),
        onSend,
        onStop: () => void stop(),
      }}
    />
  )
}

interface BranchActions {
  branch(turns?: number): Promise<void>
  askAgain(turn: TurnState, words: string): Promise<void>
  showBranch(turn: string): Promise<void>
  stop(): Promise<void>
}

function useActions(
  { session, onUndo, onReview, onSettings }: ChatPaneProps,
  { turns }: TranscriptState,
  branches: BranchActions,
): ChatActions {
  // They stay the same while words come in, so that a turn that has not changed is not drawn again.
  const now = useRef({ turns, branches, onSettings })
  now.current = { turns, branches, onSettings }
  return useMemo((): ChatActions => {
    const numberOf = (turn: TurnState) => now.current.turns.findIndex(({ key }) => key === turn.key) + 1
    return {
      answer: answerPanel,
      undo: onUndo,
      review: onReview,
      pictureOf: ({ from, hash, name }) =>
        session === undefined
          ? undefined
          : getPicture(
              `${at(session, 'pictures')}/${hash}${from === 'vault' ? `?path=${encodeURIComponent(name)}` : ''}`,
            ),
      stop: () => void now.current.branches.stop(),
      openModelSettings: () => now.current.onSettings('Models'),
      askAgain: (turn, words) => void now.current.branches.askAgain(turn, words),
      showBranch: (turn) => void now.current.branches.showBranch(turn),
      branch: (turn) => void now.current.branches.branch(numberOf(turn)),
    }
  }, [session, onUndo, onReview])
}

const noNotes: string[] = []

/** Only a hint: nothing is drawn before it is there. */
const DraftRelated = lazy(
  async () => (await import('./notes/draft-related.js')).DraftRelated,
  () => null,
)

const at = (session: string, what: string): string => `sessions/${encodeURIComponent(session)}/${what}`

function changesOf({ model, mode, consent, project }: ChatSettings, isNew = false) {
  return { model, mode, consent, ...(isNew && project && { project }) }
}

const lastChange = ({ turns }: TranscriptState): string[] =>
  turns.flatMap(({ changes }) => changes.map(({ id }) => id)).slice(-1)

/** The approval queue validates the answer; a rejection is shown in the panel. */
async function answerPanel({ id, hash, session }: UserRequest, answer: UserAnswer): Promise<string | undefined> {
  try {
    await postJson(`approvals/${encodeURIComponent(id)}`, { ...answer, hash, session })
    return undefined
  } catch (error) {
    return failureOf(error).text
  }
}
