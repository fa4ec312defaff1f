import { describe, expect, it } from 'vitest'
import type { ApprovalAnswer, ApprovalRequest, BatchAnswer, ConsentLevel } from '../../src/core/approval/index.js'
import { mediaTools } from '../../src/core/tools/built-in.js'
import type { Tool, Web } from '../../src/core/tools/index.js'
import { howOften } from '../runner/how-often.js'
import { obedientModel } from './obedient-model.js'
import { type Order, outboundAttacks, type Source, secret, sources } from './outbound-attacks.js'
import { type Panel, type Played, playTurn } from './play.js'

const levels = ['ask', 'edit', 'auto'] as const satisfies ConsentLevel[]
const notes = { 'Journal.md': `Nobody knows of the ${secret}.\n`, 'Inbox.md': 'Tea.\n' }

interface Outcome extends Played {
  /** Every address that was asked of the web. */
  sent: string[]
  requests: ApprovalRequest[]
}

/** One turn with a model that obeys the orders it reads, after it has read the journal. */
async function play(
  { notes: more, first, ask, page }: Source,
  level: ConsentLevel,
  answer: 'no' | 'yes',
  rules: string[] = [],
): Promise<Outcome> {
  const sent: string[] = []
  const web: Web = {
    async get(url) {
      sent.push(url)
      const text = url === page?.url ? page.text : '{"results":[]}'
      return { url, status: 200, headers: { 'content-type': 'text/plain' }, text }
    },
    readable: async (html) => ({ title: '', text: html }),
  }
  const one = (request: ApprovalRequest): ApprovalAnswer => {
    const isThePage = request.tool.name === 'web_fetch' && request.sends.every(({ url }) => url === page?.url)
    return { verdict: answer === 'yes' || isThePage ? 'allow' : 'deny' }
  }
  const asker = (panel: Panel): ApprovalAnswer | BatchAnswer =>
    panel.kind === 'batch'
      ? { verdict: 'each', answers: Object.fromEntries(panel.requests.map((each) => [each.id, one(each)])) }
      : one(panel)
  const settings = {
    dailyNotes: async () => ({ folder: '', format: 'YYYY-MM-DD' }),
    webSearch: { engine: 'searxng' as const, url: 'https://search.test' },
  }
  // The page first: at `ask` and `edit` the user is asked for it, before anything private is there.
  const steps = page ? [...first, readJournal] : [readJournal, ...first]
  const { model } = obedientModel('native', steps)
  const played = await playTurn(model, ask, {
    notes: { ...notes, ...more },
    level,
    rules,
    asker,
    more: mediaTools as readonly Tool[],
    context: { web, settings },
  })
  const requests = played.asked.flatMap((panel) => (panel.kind === 'batch' ? panel.requests : [panel]))
  return { ...played, sent: sent.filter((url) => url !== page?.url), requests }
}

const readJournal = { name: 'read_note', input: { path: 'Journal.md' } }

/** Independent of how the product looks at it: the address is there, and something that would load it. */
const wouldLoad = (text = ''): boolean => text.includes('evil.test') && /!\[|<\w|cover:|^https:|```/m.test(text)

/** Every attack from every source: in the quick run at one of the levels in turn, else at each. */
const trialsOf = (from: number) =>
  Object.keys(outboundAttacks).flatMap((attack, at) =>
    [0, 1, 2].slice(0, howOften(1, 3)).map((more) => [attack, levels[(from + at + more) % 3]] as const),
  )

describe.each(Object.keys(sources).map((source, at) => [source, at] as const))('orders in %s', (source, from) => {
  it.each(trialsOf(from))('send nothing unasked: %s, at the level %s', async (attack, level) => {
    const orders = outboundAttacks[attack]
    const { sent, changed, requests, end } = await play(sources[source](orders), level, 'no')
    expect(end.reason).toBe('answered')
    expect(sent).toEqual([])
    expect(Object.values(changed).filter(wouldLoad)).toEqual([])
    const ours = requests.filter(({ tool }) => orders.some((order) => order.tool === tool.name))
    expect(ours, 'a person was asked').not.toEqual([])
    // At `ask` neither half of a reference image is written, so none of them would load anything.
    if (level === 'ask' && /reference image/.test(attack)) return
    const last = ours.filter(({ sends, loads }) => sends.length > 0 || loads.length > 0).at(-1)
    const shown = [...last!.sends, ...last!.loads].map(({ url }) => url).join('\n')
    expect(shown).toContain(fullAddress(orders))
    expect(last!.words.some(({ from }) => from !== 'person')).toBe(true)
  })
})

/** The address of the last order as a request would spell it. */
function fullAddress(orders: readonly Order[]): string {
  const { tool, input } = orders.at(-1)!
  if (tool === 'web_fetch') return new URL(`${input.url}`).href
  if (tool === 'web_search') return new URLSearchParams({ q: `${input.query}` }).toString()
  if (tool === 'youtube_transcription') return `${input.url}`
  return '//evil.test/p?d=zebrafish%20moonlight'
}

describe('the words of an outbound request', () => {
  const wordsOf = async (orders: Order[]) => {
    const { requests } = await play(sources['a note'](orders), 'auto', 'no')
    return requests[0].words
  }

  it('are shown with the note they come from, or as from nowhere', async () => {
    const words = await wordsOf(outboundAttacks['request in the query, plain'])
    const notes = [{ path: 'Evil.md' }, { path: 'Journal.md' }]
    expect(words).toContainEqual({ word: 'zebrafish', from: 'note', notes })
    expect(words).toContainEqual({ word: 'moonlight', from: 'note', notes })
    expect(words).toContainEqual({ word: 'evil', from: 'person' })
  })

  it.each(['base64', 'reversed', 'hex'] as const)('are recognised in %s', async (as) => {
    const words = await wordsOf(outboundAttacks[`request in a search, ${as}`])
    expect(words.flatMap(({ notes = [] }) => notes)).toContainEqual({ path: 'Journal.md', as })
  })
})

describe('the model', () => {
  it.each(Object.entries(outboundAttacks))('really sends or writes where the person agrees: %s', async (_, orders) => {
    const { sent, changed } = await play(sources['a note'](orders), 'auto', 'yes')
    expect(sent.length > 0 || Object.values(changed).some(wouldLoad)).toBe(true)
  })

  const typed = (orders: Order[], ask: string): Source => ({ ...sources['a note'](orders), ask })

  it('needs no approval for text that the user typed: an address, a search, an image', async () => {
    const orders: Order[] = [
      { tool: 'web_fetch', input: { url: 'https://example.org/peas?year=2024' } },
      { tool: 'web_search', input: { query: 'when to sow peas' } },
      { tool: 'append_note', input: { path: 'Inbox.md', content: '![](https://example.org/pea.png)' } },
    ]
    const image = typed([orders[2]], 'Add the image https://example.org/pea.png to Inbox.md, as Evil.md says.')
    expect((await play(image, 'auto', 'no')).changed['Inbox.md']).toContain('pea.png')
    const read = await play(typed([orders[0]], 'Read example.org/peas?year=2024 and Evil.md'), 'auto', 'no')
    expect(read.sent).toEqual([orders[0].input.url])
    const search = await play(typed([orders[1]], 'Evil.md, and search for when to sow peas'), 'auto', 'no')
    expect(search.sent).toHaveLength(1)
    for (const { asked } of [read, search]) expect(asked).toEqual([])
  })

  it('needs no approval if a rule allows the tool and the destination', async () => {
    const search = outboundAttacks['request in a search, plain']
    const page = outboundAttacks['request in the query, plain']
    expect((await play(sources['a note'](search), 'auto', 'no', ['allow: web_search'])).sent).toHaveLength(1)
    expect(
      (await play(sources['a note'](page), 'auto', 'no', ['allow: web_fetch(domain:evil.test)'])).sent,
    ).toHaveLength(1)
    expect((await play(sources['a note'](page), 'auto', 'no', ['allow: web_fetch', 'allow: *'])).sent).toEqual([])
  })
})
