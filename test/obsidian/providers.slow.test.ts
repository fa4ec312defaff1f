import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canary, everyProvider } from '../providers/every-provider.js'
import { type CorsFront, corsFront } from './cors-front.js'
import { notices } from './notices.js'
import { pluginBrowser } from './plugin-browser.js'
import { ask as askInPane, openPlugin, type PluginPage, sendKeysTo } from './plugin-page.js'

const browser = pluginBrowser()
let mock: LLMock
beforeAll(async () => {
  mock = new LLMock({ port: 0, host: '127.0.0.1' })
  await mock.start()
  speakAsTold()
})
afterAll(async () => {
  await mock?.stop()
})

const notes = { 'Soil.md': '# Soil\n\nCompost feeds the soil.\n' }
const answer = 'Compost, says the note.'
const search = { name: 'search_notes', arguments: '{"query":"soil"}' }
const written = `<tool_call>\n{"name": "search_notes", "arguments": ${search.arguments}}\n</tool_call>`

/** Searches first, by the provider's own way or in its words, as it is asked to; then answers. */
function speakAsTold(): void {
  const hasResult = (text: string) => text.includes('Compost feeds')
  const textOf = (request: { messages: unknown }) => JSON.stringify(request.messages)
  mock.addFixture({ match: { predicate: (one) => hasResult(textOf(one)) }, response: { content: answer } })
  mock.addFixture({
    match: { predicate: (one) => (one.tools?.length ?? 0) > 0 },
    response: { toolCalls: [search] },
  })
  mock.addFixture({ match: { predicate: () => true }, response: { content: written } })
}

const idOf = (name: string) => name.slice(0, name.indexOf('/'))
const providers = everyProvider.map(({ name, environment }) => ({ name, id: idOf(name), environment }))

/** Each provider behind a server of its own, so that each has an origin of its own. */
async function withFronts(
  letsAppsRead: boolean,
  work: (fronts: Map<string, CorsFront>, addresses: Record<string, string>) => Promise<void>,
): Promise<void> {
  const fronts = new Map<string, CorsFront>()
  const addresses: Record<string, string> = {}
  for (const { id, environment } of providers) {
    const front = await corsFront(mock.url, { letsAppsRead })
    fronts.set(id, front)
    const [, address] = Object.entries(environment(front.url)).find(([name]) => /URL$|HOST$/.test(name))!
    addresses[id] = String(address)
  }
  try {
    await work(fronts, addresses)
  } finally {
    for (const front of fronts.values()) await front.stop()
  }
}

async function ask(
  { page, write }: PluginPage,
  model: string,
  { dialect, stream, addresses }: { dialect: string; stream: boolean; addresses: Record<string, string> },
): Promise<unknown> {
  const secrets = Object.fromEntries(providers.map(({ id }) => [id, 'a-key']))
  const data = { config: { model, dialect }, stream, enableToolCalling: true, addresses, secrets }
  await write('.obsidian/plugins/notewright/data.json', JSON.stringify(data))
  await page.evaluate('host.plugin.onExternalSettingsChange()')
  return page.evaluate(`host.app.cli.get("notewright:ask")({ prompt: "What feeds the soil?", model: "${model}" })`)
}

/** Each provider has a key, which may go to its front. */
async function openWithKey(fronts: Map<string, CorsFront>): Promise<PluginPage> {
  const plugin = await openPlugin(browser, { files: notes })
  await plugin.page.evaluate(`host.app.secretStorage.setSecret("a-key", "${canary}")`)
  await plugin.page.evaluate('host.plugin.opened().then(({ ready }) => ready)')
  await sendKeysTo(plugin, Object.fromEntries([...fronts].map(([id, { url }]) => [id, url])))
  return plugin
}

const posts = ({ seen }: CorsFront) => seen.filter(({ method, body }) => method === 'POST' && body.includes('soil'))

describe('a provider that lets apps read its answers', () => {
  it('is requested with fetch, in every dialect, streamed and not', async () => {
    await withFronts(true, async (fronts, addresses) => {
      const plugin = await openWithKey(fronts)
      for (const { name, id } of providers) {
        for (const dialect of ['native', 'sentinel']) {
          for (const stream of [true, false]) {
            const front = fronts.get(id)!
            front.seen.length = 0
            const label = `${name}, ${dialect}, ${stream ? 'streamed' : 'at once'}`
            expect(await ask(plugin, name, { dialect, stream, addresses }), label).toBe(answer)
            expect(posts(front).length, label).toBe(2)
            expect(
              posts(front).every(({ headers }) => headers.origin !== undefined),
              label,
            ).toBe(true)
            const isStreamed = posts(front).map(
              ({ path, body }) => /stream/i.test(path) || body.includes('"stream":true'),
            )
            expect(isStreamed, label).toEqual([stream, stream])
            expect(
              posts(front).some(({ body }) => body.includes('"tools":[')),
              label,
            ).toBe(dialect === 'native')
          }
        }
      }
      expect(await notices(plugin)).toEqual([])
      const header = 'anthropic-dangerous-direct-browser-access'
      expect(posts(fronts.get('anthropic')!).map(({ headers }) => headers[header])).toEqual(['true', 'true'])
      expect(posts(fronts.get('openai')!)[0].headers[header]).toBeUndefined()
      expect(plugin.troubles).toEqual([])
      await plugin.close()
    })
  })
})

describe('a provider that lets no app read its answers', () => {
  it('is requested through Obsidian from then on, with one notice about what to set', async () => {
    await withFronts(false, async (fronts, addresses) => {
      const plugin = await openWithKey(fronts)
      for (const { name, id } of providers) {
        const front = fronts.get(id)!
        for (const [dialect, stream] of [['native', true] as const, ['sentinel', false] as const]) {
          front.seen.length = 0
          expect(await ask(plugin, name, { dialect, stream, addresses }), `${name}, ${dialect}`).toBe(answer)
          expect(
            posts(front).map(({ headers }) => headers.origin),
            name,
          ).toEqual([undefined, undefined])
          // Asked as a browser asks once, and never again in vain.
          const preflights = front.seen.filter(({ method }) => method === 'OPTIONS')
          expect(preflights.length > 0, name).toBe(dialect === 'native')
        }
        const told = (await notices(plugin)).filter((text) => text.includes(front.url))
        expect(told, name).toHaveLength(1)
        expect(told[0]).toMatch(/^Answers from .* appear only when they are complete/)
        expect(told[0].includes('OLLAMA_ORIGINS='), name).toBe(id === 'ollama')
        expect(told[0].includes('lms server start --cors'), name).toBe(id === 'lmstudio')
        expect(told[0]).toMatch(/to enable it\.$/)
      }
      await plugin.close()
    })
  })

  it('and is unreachable is reported with what to do, without a notice about streaming', async () => {
    await withFronts(false, async (fronts, addresses) => {
      const plugin = await openWithKey(fronts)
      for (const front of fronts.values()) await front.stop()
      fronts.clear()
      const said = await ask(plugin, 'ollama/llama3.2', { dialect: 'native', stream: true, addresses })
      expect(said).toMatch(/^error: .*Ollama/)
      expect(await notices(plugin)).toEqual([])
      // The app may have no terminal, so no command is shown.
      await plugin.run('open-chat')
      await askInPane(plugin, 'What feeds the soil?')
      const failure = plugin.page.locator('.nw-failure')
      await failure
        .getByText('If it runs elsewhere, enter its base URL under Settings → Notewright → Providers → Ollama.')
        .waitFor()
      await plugin.close()
    })
  })
})
