import type { CliData, CliFlags } from 'obsidian'
import type { LoggedCall } from '../../core/tools/index.js'
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
    about: 'Ask your notes. Only reads them.',
    flags: {
      prompt: { value: '<text>', description: 'What you want to know', required: true },
      model: { value: '<provider/model>', description: 'Model to use instead of the default' },
    },
    answer: async (flags, plugin) =>
      (await import('./cli-commands.js')).askOnce(plugin, flags.prompt ?? '', flags.model),
  },
  search: {
    about: 'Search your notes',
    flags: {
      query: { value: '<text>', description: 'What to look for', required: true },
      limit: { value: '<number>', description: 'Number of notes, at most 50' },
    },
    async answer({ query = '', limit }, plugin) {
      const { vault, ready } = await plugin.opened()
      await ready
      const most = Math.min(50, Math.max(1, Number(limit) || vault.settings.search.limit))
      const { hits } = await vault.notebook.index.search({ query, limit: most })
      return hits.map(({ path, score }) => `${score.toFixed(2)}  ${path}`).join('\n') || 'No matches.'
    },
  },
  tools: {
    about: 'List the tools that models can use',
    flags: null,
    answer: async (_flags, plugin) => (await import('./cli-commands.js')).listOfferedTools(plugin),
  },
  log: {
    about: 'Show recent tool calls',
    flags: { last: { value: '<number>', description: 'Number of calls. Default: 20' } },
    async answer({ last }, plugin) {
      const { vault } = await plugin.opened()
      const calls = await vault.log.last(Math.max(1, Number(last) || 20))
      return calls.map(logLine).join('\n') || 'Nothing yet.'
    },
  },
  undo: {
    about: 'Undo the last change, or the one you name',
    flags: { id: { value: '<id>', description: 'ID of the change, as shown in the activity pane' } },
    answer: async ({ id }, plugin) => (await import('./cli-commands.js')).undoOnce(plugin, id),
  },
}

/** Time, tool, decision, and outcome: an allowed call may have failed. */
function logLine(call: LoggedCall): string {
  const outcome = call.error ? `not done: ${call.error.message}` : (call.result ?? 'unfinished')
  return `${call.timestamp}  ${call.tool_name}  ${call.decision}  ${outcome}`
}

/** Handlers for `obsidian notewright:…` commands typed in a terminal. */
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
