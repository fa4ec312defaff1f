import { useMemo, useRef, useState } from 'preact/hooks'
import type { Panel, PanelAnswer } from '../../../core/approval/index.js'
import {
  BrokenTurn,
  type ChatActions,
  ChatPanel,
  type Given,
  type TranscriptState,
  type TurnState,
  useAttempts,
  useHost,
} from '../../../ui/index.js'
import { failureOf, getJson, postJson } from './ask-server.js'
import { type Attached, asRequest, readGiven } from './attachments.js'
import { type ChatSettings, chatSettings, useChatSettings } from './chat-settings.js'
import type { ModelRow, Overview, ProjectRow } from './overview.js'
import { commandIn, slashCommands } from './slash-commands.js'
import { suggest } from './suggest.js'
import { useConversation } from './use-conversation.js'
import { Welcome } from './welcome.js'

export interface ChatPaneProps {
  overview: Overview
  models: readonly ModelRow[]
  projects: readonly ProjectRow[]
  session: string | undefined
  /** That the next conversation is in; '' for the whole vault. */
  project: string
  onProject(name: string): void
  /** Words that wait to be sent, as when a question is asked again. */
  draft: string
  onDraft(change: string | ((before: string) => string)): void
  onSession(id: string | undefined): void
  onReview(ids: string[]): void
  onUndo(ids: string[]): void
  onShow(view: 'search' | 'settings' | 'activity' | 'sessions'): void
  /** Asks the server anew what it has to offer. */
  onLook(): void
}

/** One conversation: what was said and done, and where the person writes. */
export function ChatPane(props: ChatPaneProps) {
  const { overview, models, session, draft: text, onDraft: setText, onSession, onShow } = props
  const { notify } = useHost()
  const [attached, setAttached] = useState<Attached[]>([])
  const attempts = useAttempts()
  const { attempt } = attempts
  const { transcript, running, isConnected } = useConversation(session, notify)
  const settings = useChatSettings(overview, transcript, props)

  const send = (words: string) =>
    attempts.send(async () => {
      const id = session ?? (await postJson<{ id: string }>('sessions', wishOf(settings, true))).id
      if (session === undefined) onSession(id)
      await postJson(at(id, 'turns'), { ...wishOf(settings), text: words, ...asRequest(attached) })
      // What came into the field meanwhile, as a question that is to be asked anew, was not sent.
      setText((now) => (now.trim() === words ? '' : now))
      setAttached((now) => now.filter((one) => !attached.includes(one)))
    })
  const fork = (turns?: number) =>
    attempt(async () => onSession((await postJson<{ id: string }>(at(session!, 'fork'), { at: turns })).id))

  const actions = useActions(props, transcript, fork)
  const commands = slashCommands({
    begin: () => onSession(undefined),
    show: onShow,
    session:
      session === undefined
        ? undefined
        : {
            fork: () => fork(),
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
  const attach = (given: Given) =>
    attempt(async () => {
      const read = await readGiven(given, attached.length)
      setAttached((before) => [...before, ...read])
    })
  const isLost = session !== undefined && !isConnected && transcript.turns.length > 0

  return (
    <ChatPanel
      transcript={transcript}
      // What a server does that does not answer, nobody knows.
      running={running === false && !isConnected ? undefined : running}
      attempts={attempts}
      actions={actions}
      welcome={
        transcript.turns.length === 0 && session === undefined ? (
          <Welcome
            overview={overview}
            models={models}
            model={settings.model}
            onModel={(model) => settings.choose('model', model)}
            onAsk={send}
            onSettings={() => onShow('settings')}
            onLook={props.onLook}
          />
        ) : undefined
      }
      brokenOff={
        session !== undefined && (
          <BrokenTurn
            key={session}
            when="as when the server is started again"
            waits={async () => (await getJson<{ waits?: unknown }>(at(session, 'waiting'))).waits !== undefined}
            onGoOn={() => void attempt(() => postJson(at(session, 'go-on')))}
          />
        )
      }
      remarks={
        isLost && (
          <p class="nw-notice" role="status">
            The server does not answer. What is shown may be old; trying again.
          </p>
        )
      }
      composer={{
        text,
        onText: setText,
        placeholder: 'Ask about your notes… (@ names a note, / shows commands)',
        settings: chatSettings(settings, props),
        suggest: (mention) => suggest(mention, commands),
        attached,
        onAttach: (given) => void attach(given),
        onDetach: (gone) => setAttached(attached.filter((_, index) => index !== gone)),
        onSend,
        onStop: () => session && void attempt(() => postJson(at(session, 'stop'))),
      }}
    />
  )
}

function useActions(
  { session, onUndo, onReview, onSession, onDraft }: ChatPaneProps,
  { turns }: TranscriptState,
  fork: (turns?: number) => Promise<void>,
): ChatActions {
  // They stay the same while words come in, so that a turn that has not changed is not drawn again.
  const now = useRef({ turns, fork })
  now.current = { turns, fork }
  return useMemo((): ChatActions => {
    const numberOf = (turn: TurnState) => now.current.turns.findIndex(({ key }) => key === turn.key) + 1
    return {
      answer: answerPanel,
      undo: onUndo,
      review: onReview,
      pictureOf: ({ from, hash, name }) =>
        session &&
        `/api/${at(session, 'pictures')}/${hash}${from === 'vault' ? `?path=${encodeURIComponent(name)}` : ''}`,
      fork: (turn) => void now.current.fork(numberOf(turn)),
      editAndResend(turn) {
        onDraft(turn.asked)
        const before = numberOf(turn) - 1
        if (before === 0) onSession(undefined)
        else void now.current.fork(before)
      },
    }
  }, [session, onUndo, onReview, onSession])
}

const at = (session: string, what: string): string => `sessions/${encodeURIComponent(session)}/${what}`

function wishOf({ model, mode, consent, project }: ChatSettings, isNew = false) {
  return { model, mode, consent, ...(isNew && project && { project }) }
}

const lastChange = ({ turns }: TranscriptState): string[] =>
  turns.flatMap(({ changes }) => changes.map(({ id }) => id)).slice(-1)

/** The desk decides whether the answer counts; what it says otherwise is shown in the panel. */
async function answerPanel({ id, hash, session }: Panel, answer: PanelAnswer): Promise<string | undefined> {
  try {
    await postJson(`approvals/${encodeURIComponent(id)}`, { ...answer, hash, session })
    return undefined
  } catch (error) {
    return failureOf(error).text
  }
}
