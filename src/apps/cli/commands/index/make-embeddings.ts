import { Failure } from '../../../../core/errors.js'
import { consentWords, notAgreed } from '../../../../core/providers/index.js'
import type { Consent } from '../../../../hosts/node/embeddings/index.js'
import type { FolderNotebook } from '../../../../hosts/node/open-notebook.js'
import type { Invocation } from '../../program/invocation.js'
import { withCommand } from '../../program/with-command.js'
import { pressKey, visibleLine, wrapToWidth } from '../../terminal/index.js'

/** What became of the embeddings, for scripts. */
export interface MadeEmbeddings {
  model: string
  state: 'made' | 'needs-consent' | 'refused' | 'failed'
  passages: number
  made: number
  /** Why not all are made, and what to do. */
  text?: string
}

/**
 * Asks the model of `embeddings.model` for what is missing, when the person agrees: they are asked once, in words, and
 * what they say is remembered. Where nobody can be asked, the setting that allows it is named. undefined without a model.
 */
export async function makeEmbeddings(
  invocation: Invocation,
  notebook: FolderNotebook,
  counts: { notes: number; chunks: number },
): Promise<MadeEmbeddings | undefined> {
  const { embeddings } = notebook
  if (embeddings === undefined) return undefined
  const report = async (state: MadeEmbeddings['state'], failure?: Failure): Promise<MadeEmbeddings> => {
    const { passages = counts.chunks, made = 0 } = (await notebook.status()).embeddings ?? {}
    const { hint = '', command } = failure?.details ?? {}
    const text = failure && `${failure.message} ${withCommand(hint, command)}`.trim()
    return { model: embeddings.model, state, passages, made, ...(text && { text }) }
  }
  const { recipient, trouble } = embeddings
  if (recipient === undefined) return report('failed', trouble)
  let consent = await embeddings.consent()
  if (consent === 'unasked' && invocation.terminal.canAsk) {
    const words = consentWords(recipient, { notes: counts.notes, passages: counts.chunks })
    consent = await ask(invocation, words)
    if (consent !== 'unasked') await embeddings.remember(consent)
  }
  if (consent === 'unasked') return report('needs-consent', notAgreed(recipient))
  if (consent === 'refused') return report('refused', refused(recipient.host))
  return run(invocation, notebook, report)
}

async function ask({ terminal, signal }: Invocation, words: string): Promise<Consent> {
  for (const line of wrapToWidth(visibleLine(words), terminal.width)) terminal.say(line)
  const answer = await pressKey(terminal, 'Do you agree? [y/N]', 'yn', signal)
  if (answer === undefined) return 'unasked'
  return answer === 'y' ? 'agreed' : 'refused'
}

async function run(
  { terminal, signal }: Invocation,
  notebook: FolderNotebook,
  report: (state: MadeEmbeddings['state'], failure?: Failure) => Promise<MadeEmbeddings>,
): Promise<MadeEmbeddings> {
  const bar = terminal.progress()
  try {
    await notebook.embed({ signal, onProgress: bar.show })
    return await report('made')
  } catch (error) {
    if (signal.aborted || !(error instanceof Failure)) throw error
    return report('failed', error)
  } finally {
    bar.clear()
  }
}

const refused = (host: string): Failure =>
  new Failure('denied', `No embeddings are made: you did not agree to send notes to ${host}.`, {
    hint: `To agree after all: notewright config set embeddings.sendTo ${host}. To be rid of this line: notewright config set embeddings.model ""`,
  })
