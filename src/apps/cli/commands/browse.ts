import { createInterface } from 'node:readline'
import { Failure } from '../../../core/errors.js'
import type { SearchAnswer, SearchHit } from '../../../core/vault-index/index.js'
import type { Config } from '../../../hosts/node/config/index.js'
import type { Notebook } from '../../../hosts/node/open-notebook.js'
import { highlight } from '../highlight.js'
import type { Invocation } from '../invocation.js'
import { withNotebook } from '../open-vault.js'
import { count } from '../quantities.js'
import { reportFailure } from '../report-failure.js'
import { searchFreshly } from '../search-freshly.js'
import { configured, searchRequest } from '../search-request.js'
import { showCorrections, showHits } from '../show-hits.js'
import { type Terminal, visibleLine, visibleText } from '../terminal/index.js'

const help = `Type words to search, or:
  3        show hit number 3: its lines and its links
  :help    this text
  :quit    leave (also Ctrl-D)`

/** Interactive search: a query per line, a number to look closer. Works on piped lines too. */
export async function browse(invocation: Invocation): Promise<void> {
  const { terminal } = invocation
  await withNotebook(invocation, async (notebook, config) => {
    if (terminal.canAsk) terminal.say(await welcome(notebook, terminal))
    const stopFollowing = notebook.follow()
    try {
      await converse(notebook, config, invocation)
    } finally {
      stopFollowing()
    }
  })
}

async function converse(notebook: Notebook, config: Config, invocation: Invocation): Promise<void> {
  const { terminal, signal } = invocation
  let last: SearchAnswer | undefined
  for await (const line of prompted(invocation)) {
    const typed = line.trim()
    if (typed === '') continue
    if (/^:(q|quit|exit)$/.test(typed)) return
    try {
      if (typed.startsWith(':')) explain(typed, terminal)
      else if (/^\d{1,3}$/.test(typed) && last !== undefined) await look(notebook, last, Number(typed), terminal)
      else last = await answer(notebook, config, typed, invocation)
    } catch (error) {
      signal.throwIfAborted()
      reportFailure(error, terminal)
    }
  }
}

async function welcome(notebook: Notebook, { messageStyle }: Terminal): Promise<string> {
  const { notes } = await notebook.status()
  const vault = messageStyle.strong(visibleLine(notebook.root))
  const size = notes === 0 ? 'not indexed yet, the first search does it' : count(notes, 'note')
  return `Searching ${vault} (${size}). No language model is set up yet, so this is search only. :help shows more.`
}

/** The lines a person types (with a prompt), or a program sends (without). Ends at Ctrl-D, Ctrl-C or the end of input. */
async function* prompted({ terminal, signal }: Invocation): AsyncGenerator<string> {
  const prompt = terminal.canAsk ? `${terminal.messageStyle.good('search')} › ` : ''
  const output = terminal.canAsk ? terminal.messages : undefined
  const lines = createInterface({ input: terminal.input, output, prompt, terminal: terminal.canAsk, historySize: 200 })
  let isBusy = false
  const close = () => lines.close()
  // While a line is worked on, Ctrl-C stops the work; at the prompt it leaves.
  lines.on('SIGINT', () => (isBusy ? process.emit('SIGINT') : close()))
  lines.once('close', () => {
    if (terminal.canAsk) terminal.messages.write('\n')
  })
  signal.addEventListener('abort', close, { once: true })
  try {
    lines.prompt()
    for await (const line of lines) {
      isBusy = true
      yield line
      isBusy = false
      lines.prompt()
    }
  } finally {
    signal.removeEventListener('abort', close)
    lines.close()
  }
}

async function answer(
  notebook: Notebook,
  config: Config,
  query: string,
  invocation: Invocation,
): Promise<SearchAnswer> {
  const { terminal } = invocation
  const request = configured(searchRequest(query), config)
  if (terminal.canAsk) request.limit = Math.min(request.limit ?? 10, hitsOnScreen(terminal))
  const found = await searchFreshly(notebook, request, invocation)
  if (terminal.json) {
    terminal.printJson(found)
    return found
  }
  const corrections = showCorrections(found)
  if (corrections !== '') terminal.say(corrections)
  if (found.hits.length === 0) terminal.say('No notes match.')
  else terminal.print(`${showHits(found, terminal.style, terminal.width)}\n`)
  if (found.freshness !== 'fresh') terminal.say(`Index: ${found.freshness}.`)
  return found
}

/** The best hit should not scroll away: a hit takes up to six lines. */
function hitsOnScreen({ height }: Terminal): number {
  return Math.max(3, Math.floor((height - 3) / 6))
}

/** The passage of a hit with its line numbers, and the links that leave it. */
async function look(
  notebook: Notebook,
  { hits, query }: SearchAnswer,
  number: number,
  terminal: Terminal,
): Promise<void> {
  const hit: SearchHit | undefined = hits[number - 1]
  if (hit === undefined) throw new Failure('not-found', `There are ${count(hits.length, 'hit')}, no number ${number}.`)
  const note = await notebook.vault.read(hit.path)
  if (note === undefined) throw new Failure('not-found', `Note not found: ${hit.path}`)
  const [first, last] = hit.lines
  const { forward, back } = await notebook.links(hit.path)
  const here = forward.filter(({ line }) => line >= first && line <= last)
  if (terminal.json) return terminal.printJson({ ...hit, links: here, backlinks: back.length })

  const { style } = terminal
  const digits = String(last).length
  const lines = note.text.split(/\r\n|\n|\r/).slice(first - 1, last)
  terminal.print(style.strong(`${visibleLine(hit.path)}:${first}-${last}`))
  for (const [at, line] of lines.entries()) {
    const shown = highlight(visibleText(line), query, style.match)
    terminal.print(`${style.faint(String(first + at).padStart(digits))}  ${shown}`)
  }
  for (const { raw, target } of here) {
    terminal.print(
      style.faint(
        `${' '.repeat(digits)}  ${visibleLine(raw)} ${target === null ? 'leads nowhere' : `→ ${visibleLine(target)}`}`,
      ),
    )
  }
  terminal.print(style.faint(`${' '.repeat(digits)}  ${count(back.length, 'link')} to this note\n`))
}

function explain(typed: string, terminal: Terminal): void {
  if (!/^:(h|help|\?)$/.test(typed)) terminal.say(`There is no ${visibleLine(typed)}.`)
  terminal.say(help)
}
