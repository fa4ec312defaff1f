import { useEffect, useMemo, useState } from 'preact/hooks'
import { modes } from '../../../core/agent/index.js'
import { consentLevels, levelTexts, type Panel, type PanelAnswer } from '../../../core/approval/index.js'
import { matchNotes, type SessionWish } from '../../../core/session/index.js'
import { visibleText } from '../../../core/text/index.js'
import {
  BrokenTurn,
  type ChatActions,
  ChatPanel,
  conversationSettings,
  FailureBox,
  type Suggestion,
  useAttempts,
} from '../../../ui/index.js'
import type { Proposal } from '../chat-view.js'
import { failureOf } from '../failure-of.js'
import type { OpenPlugin } from '../open-plugin.js'
import type { NotewrightPlugin } from '../plugin.js'
import { keptPicture } from './kept-picture.js'
import { enableToolCalling, seesNotes, ToolCallingOff } from './tool-calling.js'
import { useConversation } from './use-conversation.js'
import { useOpened } from './use-opened.js'
import { Welcome } from './welcome.js'

export interface ChatPaneProps {
  plugin: NotewrightPlugin
  session: string | undefined
  /** Told once for each number. */
  proposal?: Proposal & { number: number }
  onSession: (id: string) => void
  /** What it is drawn into; it may go from one window to another. */
  pane: HTMLElement
}

export function ChatPane(props: ChatPaneProps) {
  const opened = useOpened(props.plugin)
  if (opened === undefined) return <p class="nw-remark">Opening your notes…</p>
  if (opened instanceof Error) return <FailureBox failure={failureOf(opened)} title="Your notes cannot be opened" />
  return <OpenChat {...props} opened={opened} />
}

/** One conversation: what was said and done, and where the person writes. */
function OpenChat({ plugin, session, proposal, onSession, pane, opened }: ChatPaneProps & { opened: OpenPlugin }) {
  const { vault, atWork } = opened
  const [text, setText] = useState('')
  const [selection, setSelection] = useState<string | undefined>()
  const [wanted, want] = useState<SessionWish>({})
  const attempts = useAttempts()
  const { transcript, running } = useConversation(opened, session, pane)
  // A conversation goes on as it was, until the person chooses something else.
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
          ? await atWork.begin({ ...wish, ...(project && { project }) })
          : await atWork.find(session)
      const { id } = talk
      opened.watch(talk)
      if (session === undefined) onSession(id)
      const note = plugin.app.workspace.getActiveFile()?.path
      await atWork.ask(id, { text: words, ...(note && { note }), ...(selection && { selection }) }, wish)
      // What came into the field meanwhile was not sent.
      setText((now) => (now.trim() === words ? '' : now))
      setSelection(undefined)
    })

  const goOn = (id: string) =>
    attempts.attempt(async () => {
      opened.watch(await atWork.find(id))
      await atWork.goOn(id)
    })

  async function enable(): Promise<void> {
    await enableToolCalling(plugin)
    // Chat was all there was until now, and nobody's choice.
    want({ ...wanted, mode: vault.settings.mode })
  }

  const actions = useMemo((): ChatActions => {
    const answer = async ({ id, hash, session: asked }: Panel, given: PanelAnswer) => {
      const receipt = vault.desk.answer(id, { ...given, hash, session: asked })
      return receipt.ok ? undefined : receipt.message
    }
    return {
      answer,
      undo: (ids) => void plugin.undo(ids),
      pictureOf: (file) => (session === undefined ? undefined : keptPicture(vault, session, file)),
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
          <Welcome vault={vault} model={model} seesNotes={!isPlain} onAsk={(words) => void send(words)} />
        ) : undefined
      }
      brokenOff={
        session !== undefined && (
          <BrokenTurn
            key={session}
            when="as when Obsidian is closed"
            waits={async () => (await atWork.find(session)).waits() !== undefined}
            onGoOn={() => void goOn(session)}
          />
        )
      }
      remarks={
        <>
          {isPlain && <ToolCallingOff model={model} onEnable={() => void enable()} />}
          {selection && (
            <p class="nw-remark notewright-selection">
              About the selection: {visibleText(selection.slice(0, 80)).text}
              <button type="button" class="nw-quiet" onClick={() => setSelection(undefined)}>
                Leave it out
              </button>
            </p>
          )}
        </>
      }
      composer={{
        text,
        onText: setText,
        placeholder: 'Ask about your notes… (@ names a note)',
        settings: conversationSettings(wish, offered(plugin, model, isPlain), (name, value) =>
          want({ ...wanted, [name]: value }),
        ),
        suggest: async ({ sign, wanted: typed }) => (sign === '@' ? suggestNotes(opened, typed) : []),
        onSend: () => void send(text.trim()),
        onStop: () => session !== undefined && atWork.stop(session),
      }}
    />
  )
}

function offered({ settings }: NotewrightPlugin, model: string, isPlain: boolean) {
  const models = [...new Set([model, ...settings.models, 'offline'])].map((value) => ({ value, label: value }))
  return {
    models,
    modes: isPlain ? ['chat'] : modes,
    levels: consentLevels.map((level) => ({ level, about: levelTexts[level] })),
  }
}

async function suggestNotes({ vault }: OpenPlugin, wanted: string): Promise<Suggestion[]> {
  const notes = matchNotes(wanted, await vault.notebook.index.files())
  return notes.slice(0, 8).map(({ label, path }) => ({ label, about: path, insert: `@[[${label}]]` }))
}
