import type { ComponentChildren } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { FailureData } from '../../core/errors.js'
import { Composer, type ComposerProps } from '../composer/composer.js'
import { isRunning as isOpen, type TranscriptState, waitingPanels } from '../transcript/transcript.js'
import { useHost } from '../ui-host.js'
import { ChatLog, StatusLine } from './chat-log.js'
import { FailureBox } from './failure-box.js'
import type { ChatActions } from './turn-view.js'

interface ChatPanelProps {
  transcript: TranscriptState
  /** True if it is being answered; undefined if unknown. */
  running: boolean | undefined
  /** Names the other process that has the conversation open, such as a terminal. */
  elsewhere?: string | undefined
  attempts: ChatAttempts
  actions: ChatActions
  /** Shown instead of the conversation, before there is one. */
  welcome?: ComponentChildren
  /** Shown for an interrupted turn. */
  brokenOff: ComponentChildren
  /** Between the conversation and the field. */
  remarks?: ComponentChildren
  composer: Omit<ComposerProps, 'isRunning' | 'blocked'>
}

/** One conversation: its messages and calls, and the input. */
export function ChatPanel({
  transcript,
  running,
  elsewhere,
  attempts,
  actions,
  welcome,
  brokenOff,
  remarks,
  composer,
}: ChatPanelProps) {
  const isUnattended = running === false && !attempts.isSending && isOpen(transcript)
  const isElsewhere = isUnattended && elsewhere !== undefined
  const isBroken = isUnattended && !isElsewhere
  // Approvals of an interrupted turn cannot be answered: only the running turn would receive the answer.
  const unanswered = useMemo(() => ({ ...actions, answer: undefined }), [actions])
  return (
    <section
      class="nw-chat"
      aria-label="Chat"
      // Menus and forms that are open handle it first.
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing || running !== true) return
        event.preventDefault()
        composer.onStop()
      }}
    >
      <h2 class="nw-said">Chat</h2>
      {welcome ?? <ChatLog transcript={transcript} actions={isUnattended ? unanswered : actions} />}
      {isBroken && brokenOff}
      {isElsewhere && (
        <p class="nw-notice" role="status">
          {waitingPanels(transcript).length > 0
            ? `This chat is waiting for your approval in another window or terminal (${elsewhere}). Answer it there.`
            : `This chat is being answered in another window or terminal (${elsewhere}). New messages appear here.`}
        </p>
      )}
      {attempts.trouble && <FailureBox failure={attempts.trouble} title="Not done" />}
      <StatusLine transcript={isBroken ? { ...transcript, turns: [] } : transcript} />
      {remarks}
      <Composer
        {...composer}
        isRunning={running === true}
        blocked={attempts.isSending ? 'Sending…' : isElsewhere ? 'Answering in another window…' : undefined}
      />
    </section>
  )
}

/** State of the user's actions, with their errors. */
interface ChatAttempts {
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
