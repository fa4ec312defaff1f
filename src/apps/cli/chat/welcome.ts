import type { IndexProgress, Notebook } from '../../../core/index/index.js'
import { welcomeQuestions } from '../../../core/session/index.js'
import { count } from '../../../core/text/index.js'
import type { Invocation } from '../program/invocation.js'
import type { OpenedSession } from '../session/open-session.js'
import type { Terminal } from '../terminal/terminal.js'
import { visibleLine } from '../terminal/terminal.js'
import { cutPath, wrapPainted, wrapToWidth } from '../terminal/text-width.js'

/** Suggested questions about notes that the model may see, as lines for the screen. */
export async function suggestedQuestions({ vault: { notebook }, session }: OpenedSession, terminal: Terminal) {
  const { guard, context } = await session.toolSetup()
  const { read } = guard.filterVisible(context).vault
  const questions = await welcomeQuestions({ vault: notebook.vault, read })
  if (questions.length === 0) return ''
  const lines = questions.map((question) => wrapPainted(`  ${visibleLine(question)}`, terminal.messageWidth))
  return `${[terminal.messageStyle.faint('Try asking:'), ...lines].join('\n')}\n`
}

/** The lines before the first prompt: the vault, the model and how to begin. */
export async function welcome(
  { vault: { notebook }, session }: OpenedSession,
  reading: Pick<FirstIndex, 'progress'>,
  { terminal, version }: Invocation,
): Promise<string> {
  const style = terminal.messageStyle
  const isRead = reading.progress() === undefined
  const size = isRead ? ` (${count((await notebook.status()).notes, 'note')})` : ''
  const name = `Notewright ${version}  `
  const root = cutPath(visibleLine(notebook.root), terminal.messageWidth - name.length - size.length - 1)
  const isOffline = (await session.model()).provider === 'offline'
  const wrapped = (text: string) => wrapToWidth(text, terminal.messageWidth - 1)
  return [
    `${style.strong('Notewright')} ${version}  ${root}${size}`,
    ...(isOffline
      ? wrapped("No AI model yet. I'll quote your notes and handle simple requests. To choose a model, type /model.")
      : []),
    ...(isRead ? [] : wrapped('Indexing your notes. You can already type.')),
    ...wrapped('Ask anything. Type / for commands and @ for notes. Press Ctrl-C twice to quit.').map(style.faint),
    '',
  ].join('\n')
}

/** The index being updated while the user already types. */
export interface FirstIndex {
  /** Progress of the first index; undefined once text and links can be searched. */
  progress(): string | undefined
  /** Resolves when words and links can be searched. A failed update is started again, and its error thrown. */
  text(): Promise<void>
  /** Called whenever the progress changes. Returns a stop function. */
  follow(listener: () => void): () => void
}

/** A small vault is indexed before the prompt appears, which then shows no progress. */
const momentMs = 250
const stepMs = 200

/** Starts indexing unseen changes. Vectors follow in the background. */
export async function startFirstIndex(notebook: Notebook, vectors: boolean): Promise<FirstIndex> {
  const listeners = new Set<() => void>()
  let shown: string | undefined
  let toldAt = 0
  let text: Promise<void> | undefined

  function tell(): void {
    for (const listener of listeners) listener()
  }

  function onProgress({ phase, done, total }: IndexProgress): void {
    if (phase === 'vectors' || shown === undefined) return
    shown = total > 0 ? `indexing ${counted(done)} of ${counted(total)} files` : waiting
    if (Date.now() - toldAt < stepMs) return
    toldAt = Date.now()
    tell()
  }

  function begin(): Promise<void> {
    shown = waiting
    text = notebook.updateInBackground({ vectors, onProgress }).text
    text.then(
      () => {
        shown = undefined
        tell()
      },
      () => {
        shown = undefined
        text = undefined
        tell()
      },
    )
    return text
  }

  const late = new Promise((resolve) => setTimeout(resolve, momentMs))
  // The greeting is shown without suggestions if the notes cannot be read.
  await Promise.race([begin().catch(() => undefined), late])
  return {
    progress: () => shown,
    text: () => text ?? begin(),
    follow(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const waiting = 'indexing your notes'
const counted = (number: number): string => number.toLocaleString('en')
