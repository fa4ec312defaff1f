import { useMemo, useState } from 'preact/hooks'
import type { Panel, PanelAnswer } from '../../../core/approval/index.js'
import type { FailureData } from '../../../core/errors.js'
import {
  type ChatActions,
  ChatLog,
  Composer,
  FailureBox,
  isRunning,
  StatusLine,
  type Suggestion,
} from '../../../ui/index.js'
import { failureOf, getJson, postJson } from './ask-server.js'
import type { ModelRow, Overview } from './overview.js'
import { useConversation } from './use-conversation.js'
import { Welcome } from './welcome.js'

export interface ChatPaneProps {
  overview: Overview
  models: readonly ModelRow[]
  session: string | undefined
  onSession(id: string): void
  onUndo(ids: string[]): void
}

/** One conversation: what was said and done, and where the person writes. */
export function ChatPane({ overview, models, session, onSession, onUndo }: ChatPaneProps) {
  const [text, setText] = useState('')
  const [wantedModel, setModel] = useState<string | undefined>()
  const [wantedMode, setMode] = useState<string | undefined>()
  const [consent, setConsent] = useState<string>(overview.consent)
  const [isSending, setSending] = useState(false)
  const [trouble, setTrouble] = useState<FailureData | undefined>()
  const { transcript, running, isConnected } = useConversation(session)
  // A conversation goes on as it was, until the person chooses something else.
  const last = transcript.turns[transcript.turns.length - 1]
  const model = wantedModel ?? last?.model ?? overview.model
  const mode = wantedMode ?? last?.mode ?? overview.mode

  async function send(words: string): Promise<void> {
    setSending(true)
    setTrouble(undefined)
    const wish = { model, mode, consent }
    try {
      const id = session ?? (await postJson<{ id: string }>('sessions', wish)).id
      if (session === undefined) onSession(id)
      await postJson(`sessions/${encodeURIComponent(id)}/turns`, { ...wish, text: words })
      setText('')
    } catch (error) {
      setTrouble(failureOf(error))
    } finally {
      setSending(false)
    }
  }
  const stop = () =>
    session && postJson(`sessions/${encodeURIComponent(session)}/stop`).catch((error) => setTrouble(failureOf(error)))

  const actions = useMemo((): ChatActions => ({ answer: answerPanel, undo: onUndo }), [onUndo])
  const brokeOff = running === false && isConnected && !isSending && isRunning(transcript)
  const isLost = session !== undefined && !isConnected && transcript.turns.length > 0

  return (
    <section class="page-chat" aria-label="Chat">
      <h2 class="nw-said">Chat</h2>
      {transcript.turns.length === 0 && session === undefined ? (
        <Welcome overview={overview} onAsk={send} />
      ) : (
        <ChatLog transcript={transcript} actions={actions} />
      )}
      {brokeOff && (
        <p class="nw-notice">
          This turn broke off, as when the server is started again. What was done until then stays done. Ask again to go
          on.
        </p>
      )}
      {isLost && (
        <p class="nw-notice" role="status">
          The server does not answer. What is shown may be old; trying again.
        </p>
      )}
      {trouble && <FailureBox failure={trouble} title="It was not sent" />}
      <StatusLine transcript={brokeOff ? { ...transcript, turns: [] } : transcript} />
      <Composer
        text={text}
        onText={setText}
        isRunning={running === true}
        blocked={isSending ? 'Sending…' : undefined}
        placeholder="Ask about your notes… (@ names a note)"
        settings={[
          { name: 'Model', value: model, choices: modelChoices(models, model), onChange: setModel },
          {
            name: 'Mode',
            value: mode,
            choices: overview.modes.map((value) => ({ value, label: value })),
            onChange: setMode,
          },
          {
            name: 'Consent',
            value: consent,
            choices: overview.levels.map(({ level, about }) => ({ value: level, label: level, about })),
            onChange: setConsent,
          },
        ]}
        suggest={suggestNames}
        onSend={() => void send(text.trim())}
        onStop={() => void stop()}
      />
    </section>
  )
}

/** The desk decides whether the answer counts; what it says otherwise is shown in the panel. */
async function answerPanel({ id, hash, session }: Panel, answer: PanelAnswer): Promise<string | undefined> {
  try {
    await postJson(`approvals/${encodeURIComponent(id)}`, { ...answer, hash, session })
    return undefined
  } catch (error) {
    return failureOf(error).text
  }
}

function modelChoices(models: readonly ModelRow[], current: string) {
  const rows = models.some(({ model }) => model === current) ? models : [{ model: current, about: 'set up' }, ...models]
  return rows.map(({ model, about }) => ({ value: model, label: model, about }))
}

/** Words that mean a way of asking, besides the names of notes. */
const commands: readonly Suggestion[] = [
  { label: '@vault', about: 'search the notes first', insert: '@vault' },
  { label: '@web', about: 'search the web first', insert: '@web' },
]

async function suggestNames(wanted: string): Promise<Suggestion[]> {
  const { notes } = await getJson<{ notes: { label: string; path: string }[] }>(
    `names?wanted=${encodeURIComponent(wanted)}`,
  )
  const fitting = commands.filter(({ label }) => wanted !== '' && label.startsWith(`@${wanted.toLowerCase()}`))
  return [...fitting, ...notes.slice(0, 8).map(({ label, path }) => ({ label, about: path, insert: `@[[${label}]]` }))]
}
