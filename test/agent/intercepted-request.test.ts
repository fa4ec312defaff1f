import { afterEach, expect, it } from 'vitest'
import { configSchema } from '../../src/core/config/index.js'
import { withDialect } from '../../src/core/dialects/index.js'
import type { LanguageModelV3CallOptions } from '../../src/core/model/index.js'
import { openModel } from '../../src/core/providers/index.js'
import { vaultFromHost } from '../../src/core/session/index.js'
import { memoryHost } from '../doubles/memory-host.js'
import { ollamaServer } from '../providers/ollama-server.js'

const cleanUps: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp()
})

async function stage(dialect: string) {
  const server = await ollamaServer({ model: () => ({ say: 'Done.' }) })
  const host = await memoryHost({ 'Garden/Soil.md': '---\nstatus: open\n---\nCompost feeds the soil. #garden\n' })
  host.openModel = async (name, _dialect, wish) => {
    const opened = await openModel(name, { environment: server.environment, fetch, ...wish })
    return { ...opened, model: withDialect(opened.model, { dialect, profile: opened.profile }) }
  }
  const vault = vaultFromHost({ host, settings: configSchema.parse({}) })
  cleanUps.push(() => vault.close(), server.stop)
  return { server, vault }
}

/** Marks around material differ from session to session. */
const withoutMarks = (text: string): string => text.replace(/\b[0-9a-f]{8}\b/g, 'mark')

it.each(['native', 'sentinel', 'use-tool'])(
  'an intercepted request (%s) is the one a model would get',
  async (dialect) => {
    const { server, vault } = await stage(dialect)
    let intercepted: LanguageModelV3CallOptions | undefined
    const silent = await vault.openSession({
      model: 'ollama/qwen3:8b',
      intercept: (request) => {
        intercepted ??= request
      },
    })
    for await (const _ of silent.ask('What feeds the soil?'));
    expect(server.seen).toEqual([])
    expect(await vault.sessions.list()).toEqual([])

    const session = await vault.openSession({ model: 'ollama/qwen3:8b', keep: false })
    for await (const _ of session.ask('What feeds the soil?'));
    const [request] = server.seen
    const textOf = (content: unknown): string =>
      typeof content === 'string' ? content : (content as { text: string }[]).map(({ text }) => text).join('')
    const shown = intercepted!.prompt.map(({ role, content }) => [role, withoutMarks(textOf(content))])
    expect(shown).toEqual(request.messages.map(({ role, content }) => [role, withoutMarks(content ?? '')]))
    const names = (intercepted!.tools ?? []).map(({ name }) => name)
    expect(names).toEqual(request.tools.map((tool) => tool.function.name))
    expect(names.length > 0).toBe(dialect === 'native')
    const [system] = shown
    expect(system[1]).toMatch(/Today is \w+, \d{4}-\d\d-\d\d/)
    expect(system[1]).toContain('The vault has 1 note.\nFolders: Garden 1.\nTags: #garden 1.\nProperties: status 1.')
    expect(system[1]).toContain('Limits for one request:')
  },
)
