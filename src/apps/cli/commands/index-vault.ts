import { Option } from 'commander'
import { Failure } from '../../../core/errors.js'
import { consentFailure, consentWords } from '../../../core/providers/index.js'
import { count, duration } from '../../../core/text/index.js'
import type { Consent } from '../../../hosts/node/embeddings.js'
import type { FolderNotebook } from '../../../hosts/node/open-notebook.js'
import { withCommand } from '../program/failures.js'
import { examples } from '../program/help.js'
import type { DeclareCommand, Invocation } from '../program/invocation.js'
import { renamedOption } from '../program/options.js'
import { withReadableNotebook } from '../session/open-notebook.js'
import { pressKey, visibleLine } from '../terminal/terminal.js'
import { wrapToWidth } from '../terminal/text-width.js'

export const declareIndex: DeclareCommand = (command, run) => {
  command.option('--no-vectors', 'skip semantic vectors, which take longest')
  renamedOption(command, new Option('--rebuild', 'delete the index and build it again from the notes'), '--anew')
    .addHelpText(
      'after',
      examples(
        ['notewright index'],
        ['notewright index --rebuild'],
        ['notewright index --vault ~/Notes --json', 'counts and skipped files, for scripts'],
      ),
    )
    .action((options) => run((to) => runIndex(to, options)))
}

export async function runIndex(
  invocation: Invocation,
  options: { vectors: boolean; rebuild?: boolean },
): Promise<void> {
  const { terminal, signal } = invocation
  await withReadableNotebook(invocation, async (notebook, config) => {
    const bar = terminal.progress()
    const wanted = { signal, vectors: options.vectors && config.index.vectors, onProgress: bar.show }
    const updating = options.rebuild ? notebook.rebuild(wanted) : notebook.update(wanted)
    const report = await updating.finally(() => bar.clear())
    const { notes, chunks, links, skipped, ms, lexicalMs, vectorsMs } = report
    const embeddings = options.vectors ? await makeEmbeddings(invocation, notebook, { notes, chunks }) : undefined
    if (terminal.json) {
      const told = { notes, chunks, links, skipped, ms, lexicalMs, vectorsMs, ...(embeddings && { embeddings }) }
      return terminal.printJson(told)
    }
    const parts = [count(notes, 'note'), count(chunks, 'passage'), count(links, 'link')]
    terminal.print(`Indexed ${parts.join(', ')} in ${duration(ms)}.`)
    if (embeddings?.text !== undefined) terminal.say(visibleLine(embeddings.text))
    else if (embeddings !== undefined) {
      const { model, made, passages } = embeddings
      terminal.print(`Embeddings of ${visibleLine(model)}: ${made} of ${count(passages, 'passage')}.`)
    }
    if (skipped.length === 0) return
    terminal.print(`Skipped ${count(skipped.length, 'file')}:`)
    for (const { path, reason } of skipped.slice(0, 20))
      terminal.print(`  ${visibleLine(path)}: ${visibleLine(reason)}`)
    if (skipped.length > 20) terminal.print(`  … and ${count(skipped.length - 20, 'more', 'more')} (all with --json)`)
  })
}

/** The result of embedding, for scripts. */
export interface EmbeddingOutcome {
  model: string
  state: 'made' | 'needs-consent' | 'refused' | 'failed'
  passages: number
  made: number
  /** Reason why some are missing, and advice. */
  text?: string
}

/**
 * Computes missing vectors with the model of `embeddings.model`. The user is asked once, and the answer is remembered.
 * Without a terminal, the error names the setting that allows it. Returns undefined if no model is set.
 */
export async function makeEmbeddings(
  invocation: Invocation,
  notebook: FolderNotebook,
  counts: { notes: number; chunks: number },
): Promise<EmbeddingOutcome | undefined> {
  const { embeddings } = notebook
  if (embeddings === undefined) return undefined
  const report = async (state: EmbeddingOutcome['state'], failure?: Failure): Promise<EmbeddingOutcome> => {
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
  if (consent === 'unasked') return report('needs-consent', consentFailure(recipient))
  if (consent === 'refused') return report('refused', refused(recipient.host))
  return run(invocation, notebook, report)
}

async function ask({ terminal, signal }: Invocation, words: string): Promise<Consent> {
  for (const line of wrapToWidth(visibleLine(words), terminal.width)) terminal.say(line)
  const answer = await pressKey(terminal, 'Allow this? [y/N]', 'yn', signal)
  if (answer === undefined) return 'unasked'
  return answer === 'y' ? 'agreed' : 'refused'
}

async function run(
  { terminal, signal }: Invocation,
  notebook: FolderNotebook,
  report: (state: EmbeddingOutcome['state'], failure?: Failure) => Promise<EmbeddingOutcome>,
): Promise<EmbeddingOutcome> {
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
  new Failure('denied', `No embeddings: you did not allow sending notes to ${host}.`, {
    hint: `To allow it: notewright config set embeddings.sendTo ${host}. To turn embeddings off: notewright config set embeddings.model ""`,
  })
