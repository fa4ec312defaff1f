import * as z from 'zod'
import { counted, shortText } from '../result-format.js'
import { defineTool } from '../tool.js'

const mostSkipped = 20

export const indexVault = defineTool({
  name: 'index_vault',
  title: 'Index the vault',
  description:
    'Update the search index. It is updated automatically, so use this only when the user asks. Returns the number of indexed notes and the files that could not be indexed.',
  activity: 'Indexing the vault',
  category: 'search',
  onRequest: 'index',
  effects: ['reads'],
  needsVault: true,
  background: true,
  timeoutMs: 30 * 60_000,
  input: z.object({}),
  example: {},
  output: z.object({
    notes: z.number(),
    chunks: z.number().optional(),
    links: z.number().optional(),
    skipped: z.array(z.object({ path: z.string(), reason: z.string() })),
    skipped_total: z.number(),
    ms: z.number(),
  }),

  async run(_, { index, signal, report }) {
    const { notes, chunks, links, skipped, ms } = await index.update({
      signal,
      onProgress: ({ phase, done, total }) => report({ text: `Indexing: ${phase}`, ...(total > 0 && { done, total }) }),
    })
    signal.throwIfAborted()
    const named = skipped.slice(0, mostSkipped)
    return {
      notes,
      ...(chunks !== undefined && { chunks }),
      ...(links !== undefined && { links }),
      skipped: named.map(({ path, reason }) => ({ path, reason: shortText(reason) })),
      skipped_total: skipped.length,
      ms,
    }
  },

  render({ notes, chunks, links, skipped, skipped_total, ms }) {
    const lines = [
      `${counted(notes, 'note')} indexed${parts(chunks, links)}, in ${ms} ms.`,
      ...skipped.map(({ path, reason }) => `Not indexed: ${shortText(path)}: ${reason}`),
    ]
    if (skipped_total > skipped.length) lines.push(`And ${skipped_total - skipped.length} more that were not indexed.`)
    return lines.join('\n')
  },
  summary: ({ notes }) => `${counted(notes, 'note')} indexed`,
})

function parts(chunks: number | undefined, links: number | undefined): string {
  if (chunks === undefined || links === undefined) return ''
  return `, with ${counted(chunks, 'passage')} and ${counted(links, 'link')}`
}
