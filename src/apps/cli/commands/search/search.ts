import { type FileHandle, open } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import type { Config } from '../../../../core/config/index.js'
import { Failure } from '../../../../core/errors.js'
import type { Notebook } from '../../../../core/notebook/index.js'
import type { FolderNotebook } from '../../../../hosts/node/open-notebook.js'
import type { Invocation } from '../../program/invocation.js'
import { withReadableNotebook } from '../../session/readable-notebook.js'
import { jsonLine, visibleLine } from '../../terminal/index.js'
import { searchFreshly } from './search-freshly.js'
import { configured, type SearchOptions, searchRequest } from './search-request.js'
import { showCorrections, showFreshness, showHits } from './show-hits.js'

export interface SearchCommandOptions extends SearchOptions {
  batch?: string
  timings?: boolean
}

export async function search(invocation: Invocation, query: string, options: SearchCommandOptions): Promise<void> {
  if (options.batch !== undefined) return searchBatch(invocation, options.batch, options)
  if (query.trim() === '' && !hasFilter(options)) {
    throw new Failure('invalid-input', 'What should be searched for?', { hint: 'notewright search "your words"' })
  }
  const { terminal } = invocation
  const request = searchRequest(query, options)
  const answerOne = async (notebook: FolderNotebook, config: Config) => {
    const answer = await searchFreshly(notebook, configured(request, config), invocation)
    if (terminal.json) return terminal.printJson(answer)
    const corrections = showCorrections(answer)
    if (corrections !== '') terminal.say(corrections)
    if (answer.hits.length === 0) terminal.say('No notes match.')
    else terminal.print(showHits(answer, terminal.style, terminal.width))
    const remark = showFreshness(answer.freshness)
    if (remark !== '') terminal.say(remark)
    if (answer.notice !== undefined) terminal.say(visibleLine(answer.notice))
    else if ((await notebook.embeddings?.consent()) === 'unasked') {
      terminal.say(
        'Without the model of embeddings.model: nothing is sent before you agree. To be asked: notewright index',
      )
    }
  }
  await withReadableNotebook(invocation, answerOne, { listsAhead: true })
}

/** JSON lines in, JSON lines out, in the same order. */
async function searchBatch(invocation: Invocation, file: string, options: SearchCommandOptions): Promise<void> {
  const { terminal, signal } = invocation
  const base = searchRequest('', options)
  const input = file === '-' ? terminal.input : (await openFile(file)).createReadStream({ encoding: 'utf8' })
  const answerAll = async (notebook: Notebook, config: Config) => {
    let number = 0
    // Made only now: lines that arrive before someone iterates would be lost.
    const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY, signal })
    for await (const line of lines) {
      signal.throwIfAborted()
      number++
      if (line.trim() === '') continue
      const { id, query } = batchQuery(line, number)
      const startedAt = performance.now()
      const isFirst = number === 1
      const request = { ...configured(base, config), query }
      const { hits } = isFirst
        ? await searchFreshly(notebook, request, invocation)
        : await notebook.index.search(request)
      const ms = Math.round((performance.now() - startedAt) * 1000) / 1000
      terminal.print(jsonLine(options.timings ? { id, hits, ms } : { id, hits }))
    }
  }
  await withReadableNotebook(invocation, answerAll, { readsAhead: true })
}

async function openFile(file: string): Promise<FileHandle> {
  return open(file).catch((error: NodeJS.ErrnoException) => {
    const isMissing = error.code === 'ENOENT'
    const text = isMissing ? `File not found: ${file}` : `Error reading file: ${file} (${error.code})`
    throw new Failure(isMissing ? 'not-found' : 'invalid-input', text)
  })
}

function batchQuery(line: string, number: number): { id: unknown; query: string } {
  let value: { id?: unknown; query?: unknown } | null
  try {
    value = JSON.parse(line.replace(/^\uFEFF/, ''))
  } catch {
    value = null
  }
  if (typeof value?.query !== 'string') {
    throw new Failure('invalid-input', `Line ${number} is not JSON of the form {"id": …, "query": "…"}`)
  }
  return { id: value.id ?? null, query: value.query }
}

function hasFilter({ tag, folder, property, after, before }: SearchOptions): boolean {
  return [tag, folder, property, after, before].some((filter) => filter !== undefined)
}
