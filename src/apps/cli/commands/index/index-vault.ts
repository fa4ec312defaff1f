import type { Invocation } from '../../program/invocation.js'
import { withReadableNotebook } from '../../session/readable-notebook.js'
import { count, duration } from '../../show/quantities.js'
import { visibleLine } from '../../terminal/index.js'
import { makeEmbeddings } from './make-embeddings.js'

export async function indexVault(invocation: Invocation, options: { vectors: boolean; anew?: boolean }): Promise<void> {
  const { terminal, signal } = invocation
  await withReadableNotebook(invocation, async (notebook, config) => {
    const bar = terminal.progress()
    const report = await notebook
      .update({ signal, vectors: options.vectors && config.index.vectors, anew: options.anew, onProgress: bar.show })
      .finally(() => bar.clear())
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
    terminal.print(`Left out ${count(skipped.length, 'file')}:`)
    for (const { path, reason } of skipped.slice(0, 20))
      terminal.print(`  ${visibleLine(path)}: ${visibleLine(reason)}`)
    if (skipped.length > 20) terminal.print(`  … and ${count(skipped.length - 20, 'more', 'more')} (all with --json)`)
  })
}
