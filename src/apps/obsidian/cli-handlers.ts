import type { CliData, CliFlags } from 'obsidian'
import { failureOf, noticeOf } from './failure-of.js'
import type { NotewrightPlugin } from './plugin.js'

type Answer = (flags: CliData, plugin: NotewrightPlugin) => Promise<string>

interface Handler {
  about: string
  flags: CliFlags | null
  answer: Answer
}

const handlers: Record<string, Handler> = {
  ask: {
    about: 'Ask your notes. Reads, and changes nothing.',
    flags: {
      prompt: { value: '<text>', description: 'What you want to know', required: true },
      model: { value: '<provider/model>', description: 'Another model than the usual one' },
    },
    answer: async (flags, plugin) => (await import('./cli/ask.js')).askOnce(plugin, flags.prompt, flags.model),
  },
  search: {
    about: 'Search your notes',
    flags: {
      query: { value: '<text>', description: 'What to look for', required: true },
      limit: { value: '<number>', description: 'How many notes, at most 50' },
    },
    async answer({ query, limit }, plugin) {
      const { vault, ready } = await plugin.opened()
      await ready
      const most = Math.min(50, Math.max(1, Number(limit) || vault.settings.search.limit))
      const { hits } = await vault.notebook.index.search({ query, limit: most })
      return hits.map(({ path, score }) => `${score.toFixed(2)}  ${path}`).join('\n') || 'Nothing was found.'
    },
  },
  tools: {
    about: 'The tools that a model is offered',
    flags: null,
    answer: async (_flags, plugin) => (await import('./cli/tools.js')).offeredTools(plugin),
  },
  log: {
    about: 'The last calls of tools',
    flags: { last: { value: '<number>', description: 'How many; 20 unless told' } },
    async answer({ last }, plugin) {
      const { vault } = await plugin.opened()
      const calls = await vault.log.last(Math.max(1, Number(last) || 20))
      return calls.map((call) => `${call.timestamp}  ${call.tool_name}  ${call.decision}`).join('\n') || 'Nothing yet.'
    },
  },
  undo: {
    about: 'Take a change back: the last one, or the one you name',
    flags: { id: { value: '<id>', description: 'Which change, as the activity names it' } },
    answer: async ({ id }, plugin) => (await import('./cli/undo.js')).undoOnce(plugin, id),
  },
}

/** What `obsidian notewright:…` in a terminal asks of the running app. */
export function addCliHandlers(plugin: NotewrightPlugin): void {
  for (const [name, { about, flags, answer }] of Object.entries(handlers)) {
    plugin.registerCliHandler(`notewright:${name}`, about, flags, async (given) => {
      try {
        return await answer(given, plugin)
      } catch (error) {
        return `error: ${noticeOf(failureOf(error))}`
      }
    })
  }
}
