import type { ComponentChildren } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { FailureData } from '../../core/errors.js'
import { Composer, type ComposerProps } from '../composer/composer.js'
import { isRunning as isOpen, type TranscriptState } from '../transcript/index.js'
import { useHost } from '../ui-host.js'
import { ChatLog, StatusLine } from './chat-log.js'
import { FailureBox } from './failure-box.js'
import type { ChatActions } from './turn-view.js'

export interface ChatPanelProps {
  transcript: TranscriptState
  /** Whether it is being answered; undefined while nobody knows. */
  running: boolean | undefined
  attempts: ChatAttempts
  actions: ChatActions
  /** In place of the conversation, before there is one. */
  welcome?: ComponentChildren
  /** Said of a turn that nobody works on any more, though it has not ended. */
  brokenOff: ComponentChildren
  /** Between the conversation and the field. */
  remarks?: ComponentChildren
  composer: Omit<ComposerProps, 'isRunning' | 'blocked'>
}

/** One conversation: what was said and done, and where the person writes. */
export function ChatPanel({
  transcript,
  running,
  attempts,
  actions,
  welcome,
  brokenOff,
  remarks,
  composer,
}: ChatPanelProps) {
  const isBroken = running === false && !attempts.isSending && isOpen(transcript)
  // Nobody waits any more for what is asked in it.
  const unanswered = useMemo(() => ({ ...actions, answer: undefined }), [actions])
  return (
    <section class="nw-chat" aria-label="Chat">
      <h2 class="nw-said">Chat</h2>
      {welcome ?? <ChatLog transcript={transcript} actions={isBroken ? unanswered : actions} />}
      {isBroken && brokenOff}
      {attempts.trouble && <FailureBox failure={attempts.trouble} title="It was not done" />}
      <StatusLine transcript={isBroken ? { ...transcript, turns: [] } : transcript} />
      {remarks}
      <Composer {...composer} isRunning={running === true} blocked={attempts.isSending ? 'Sending…' : undefined} />
    </section>
  )
}

/** What the person has told the chat to do, and why it was not. */
export interface ChatAttempts {
  isSending: boolean
  trouble: FailureData | undefined
  attempt(work: () => Promise<unknown>): Promise<void>
  /** The same, while nothing else can be sent. */
  send(work: () => Promise<unknown>): Promise<void>
}

export function useAttempts(): ChatAttempts {
  const { failureOf } = useHost()
  const [isSending, setSending] = useState(false)
  const [trouble, setTrouble] = useState<FailureData | undefined>()
  async function attempt(work: () => Promise<unknown>): Promise<void> {
    setTrouble(undefined)
    try {
      await work()
    } catch (error) {
      setTrouble(failureOf(error))
    }
  }
  async function send(work: () => Promise<unknown>): Promise<void> {
    setSending(true)
    await attempt(work)
    setSending(false)
  }
  return { isSending, trouble, attempt, send }
}
