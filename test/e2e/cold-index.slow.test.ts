import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { apiRoutes } from '../web-app/api-routes.js'
import { servePage, signIn } from '../web-app/served-page.js'
import { type Stage, stage } from './cli-harness.js'
import { type McpAnswer, startMcp } from './mcp-client.js'

const notes = 6000
/** So often every question is asked while the notes are read for the first time, and how long after each other. */
const moments = 20
const everyMs = 100

let here: Stage
beforeEach(async () => {
  here = await stage()
  await writeNotes()
})
afterEach(() => here.remove())

/** The note that is asked for, its tag and the note that links to it are read last. */
const last = 'Zz/Last note.md'
const linking = 'Zz/Linking.md'

async function writeNotes(): Promise<void> {
  const words = Array.from({ length: 4000 }, (_, at) => `w${(at * 7919).toString(36)}`)
  for (let folder = 0; folder < 60; folder++) {
    await mkdir(join(here.vault, `Folder ${folder}`), { recursive: true })
    await Promise.all(
      Array.from({ length: notes / 60 }, (_, at) => {
        const text = Array.from({ length: 200 }, (_, word) => words[(folder * 131 + at * 17 + word * word) % 4000])
        return writeFile(join(here.vault, `Folder ${folder}`, `Topic ${folder} ${at}.md`), `${text.join(' ')}\n`)
      }),
    )
  }
  await here.write(last, '# Last note\n\nZebrafish swim in the [[Tomatoes]]. #lasttag\n')
  await here.write(linking, '# Linking\n\nSee [[Last note]].\n\n- [ ] Water the zebrafish\n')
  await here.write('Zz/Last.base', 'filters: file.hasTag("lasttag")\n')
}

/** These read every note themselves, so that asking them each time would be all that the machine does. */
const heavy = ['vault_search', 'search_text', 'check_vault', 'index_vault']

/** A question for each read tool, and a text that every correct answer contains. A new tool needs a line here. */
const toolQuestions: Record<string, { input: object; has: string }> = {
  search_notes: { input: { query: 'zebrafish' }, has: last },
  vault_search: { input: { query: 'Zebrafish' }, has: last },
  search_text: { input: { pattern: 'Zebrafish' }, has: last },
  check_vault: { input: { only: ['links'] }, has: 'Missing note' },
  search_by_tag: { input: { tags: ['lasttag'] }, has: last },
  query_notes: { input: { where: 'file.hasTag("lasttag")' }, has: last },
  query_base: { input: { path: 'Zz/Last.base' }, has: last },
  list_tasks: { input: {}, has: 'Water the zebrafish' },
  get_tag_list: { input: {}, has: 'lasttag' },
  list_backlinks: { input: { path: last }, has: linking },
  list_forward_links: { input: { path: last }, has: 'Garden/Tomatoes.md' },
  related_notes: { input: { path: last, include_linked: true }, has: linking },
  get_note_metadata: { input: { path: 'Last note' }, has: 'lasttag' },
  index_vault: { input: {}, has: '"notes"' },
  read_note: { input: { path: 'Last note' }, has: 'Zebrafish' },
  file_read: { input: { filePaths: [last] }, has: 'Zebrafish' },
  get_file_tree: { input: {}, has: 'Zz' },
}

/** The same for the routes of the page that read. null: it answers from settings, sessions, the journal or a file. */
const routeQuestions: Record<string, { query?: string; body?: object; has: string } | null> = {
  'GET /api/tree': { has: 'Zz' },
  'GET /api/names': { query: 'wanted=Last', has: last },
  'GET /api/note': { query: 'target=Last%20note', has: linking },
  'GET /api/filters': { query: 'kind=tag&wanted=last', has: 'lasttag' },
  // By the names of files, which need no index; this vault has no picture.
  'GET /api/picture': null,
  'GET /api/related': { query: 'target=Last%20note', has: '"notes"' },
  'POST /api/related': { body: { text: 'Do zebrafish swim?' }, has: last },
  'GET /api/graph': { query: `target=${encodeURIComponent(last)}`, has: linking },
  'POST /api/search': { body: { query: 'zebrafish' }, has: last },
  'GET /api/overview': { has: '"freshness"' },
  'GET /api/questions': { has: 'questions' },
  'GET /api/projects': { has: 'projects' },
  'GET /api/index': { has: '"' },
  ...Object.fromEntries(
    [
      'sessions',
      'sessions/x',
      'sessions/x/waiting',
      'sessions/x/pictures/x',
      'sessions/x/export',
      'prompts',
      'settings',
      'providers',
    ]
      .concat(['keys', 'tools', 'tools/x', 'browsers', 'programs', 'mcp-servers', 'models', 'events', 'permissions'])
      .concat(['access-keys', 'activity', 'changes/x', 'memory', 'file'])
      .map((path) => [`GET /api/${path}`, null]),
  ),
}

/** An answer is right, or says that it cannot be given yet. Anything else is returned, to be shown. */
function wrongly(name: string, answer: string, has: string): string[] {
  const isNotReady = /"code": ?"not-ready"/.test(answer) || /Indexing(:| has just started)/.test(answer)
  return answer.includes(has) || isNotReady ? [] : [`${name}: ${answer.slice(0, 300)}`]
}

/** Asks all questions again and again, without waiting for earlier answers. */
async function askThroughout(ask: (moment: number) => Promise<string[]>[]): Promise<string[]> {
  const asked: Promise<string[]>[] = []
  for (let moment = 0; moment < moments; moment++) {
    asked.push(...ask(moment))
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
  return (await Promise.all(asked)).flat()
}

describe('a vault of 6,000 notes that has never been indexed', () => {
  it('is never reported to lack an existing note by a tool or resource of MCP', async () => {
    const client = await startMcp(['--vault', here.vault, '--approvals', 'auto'], here.environment)
    const listed = client.request('tools/list')
    const told = (answer: McpAnswer) => JSON.stringify(answer.error ?? answer.result).replaceAll('\\"', '"')
    const subscribed: Promise<McpAnswer>[] = []
    const uri = `note:///${encodeURI(last)}`
    async function allResources(): Promise<string> {
      const pages: string[] = []
      for (let cursor: string | undefined; ; ) {
        const answer = await client.request('resources/list', cursor === undefined ? {} : { cursor })
        pages.push(told(answer))
        cursor = answer.result?.nextCursor
        if (cursor === undefined) return pages.join('\n')
      }
    }
    const { tools } = (await listed).result as { tools: { name: string; annotations: { readOnlyHint: boolean } }[] }
    const reading = tools.filter(({ annotations }) => annotations.readOnlyHint).map(({ name }) => name)
    expect(reading.sort()).toEqual(Object.keys(toolQuestions).sort())
    const wrong = await askThroughout((moment) => {
      const asked = Object.entries(toolQuestions).filter(([name]) => moment % 10 === 0 || !heavy.includes(name))
      subscribed.push(client.request('resources/subscribe', { uri }))
      return [
        ...asked.map(async ([name, { input, has }]) => wrongly(name, told(await client.call(name, input)), has)),
        allResources().then((answer) => wrongly('resources/list', answer, encodeURI(last))),
        client
          .request('resources/read', { uri })
          .then((answer) => wrongly('resources/read', told(answer), 'Zebrafish')),
      ]
    })
    expect(wrong).toEqual([])
    expect((await Promise.all(subscribed)).filter(({ error }) => error !== undefined)).toEqual([])
    // When all is read, every question has its answer: what was looked for is really there.
    await expect.poll(async () => (await client.call('get_tag_list', {})).result.isError).toBeUndefined()
    for (const [name, { input, has }] of Object.entries(toolQuestions)) {
      expect(told(await client.call(name, input)), name).toContain(has)
    }
    expect(await allResources()).toContain(encodeURI(last))
    await client.close()
  })

  it('is never reported to lack an existing note by a route of the page', async () => {
    const reading = apiRoutes().map(({ method, path }) => `${method} ${path}`)
    const isRead = (route: string) => route.startsWith('GET ') || /^POST \/api\/(?:search|related)$/.test(route)
    expect(reading.filter(isRead).sort()).toEqual(Object.keys(routeQuestions).sort())
    const served = await servePage(here)
    const headers = await signIn(served)
    async function ask(route: string, { query = '', body, has }: { query?: string; body?: object; has: string }) {
      const [method, path] = route.split(' ')
      const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
      const answer = await fetch(`${served.url}${path}${query && `?${query}`}`, init)
      return { has, text: await answer.text() }
    }
    const questions = Object.entries(routeQuestions).flatMap(([route, question]) =>
      question === null ? [] : [{ route, question }],
    )
    const wrong = await askThroughout(() =>
      questions.map(async ({ route, question }) => {
        const { text, has } = await ask(route, question)
        return wrongly(route, text, has)
      }),
    )
    expect(wrong).toEqual([])
    await expect.poll(async () => (await ask('GET /api/names', { query: 'wanted=Last', has: '' })).text).toContain(last)
    for (const { route, question } of questions)
      expect((await ask(route, question)).text, route).toContain(question.has)
    await served.stop()
  })
})
