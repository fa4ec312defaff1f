import { Failure } from '../../../core/errors.js'
import type { OpenedVault } from '../../../core/session/index.js'
import { categories, type Tool, toolNamed, toolset } from '../../../core/tools/index.js'
import type { McpSetup } from '../setup.js'

/** Always there: what a client has done, it can look at and take back. */
const own = ['list_changes', 'undo_last_change']

/**
 * The tools a client is offered, in the order of the registry. Writing ones only where something may be written, and
 * none that shows files: that takes a conversation of ours.
 */
export function offeredTools(
  { registry, settings }: Pick<OpenedVault, 'registry' | 'settings'>,
  { tools: chosen, session = {} }: Pick<McpSetup, 'tools' | 'session'>,
): Tool[] {
  const isReadOnly = (session.consent ?? settings.consent) === 'read-only'
  const names = chosen === undefined ? usualNames({ registry, settings }) : chosenNames(chosen, registry)
  return registry
    .all()
    .map(({ tool }) => tool)
    .filter(({ name }) => names.has(name) || own.includes(name))
    .filter(({ filesIn }) => filesIn === undefined)
    .filter(({ effects }) => !isReadOnly || effects.every((effect) => effect === 'reads'))
}

function usualNames({ registry, settings }: Pick<OpenedVault, 'registry' | 'settings'>): Set<string> {
  const { tools } = toolset(settings.tools, registry)
  return new Set(tools.flatMap(({ name, category }) => (category === 'search' || category === 'file' ? [name] : [])))
}

/** `search`, `file` and the other categories stand for what is in them. */
function chosenNames(chosen: readonly string[], registry: OpenedVault['registry']): Set<string> {
  const byCategory = registry.byCategory()
  return new Set(
    chosen.flatMap((word) => {
      const category = categories.find((known) => known === word)
      if (category !== undefined) return (byCategory.get(category) ?? []).map(({ name }) => name)
      const found = toolNamed(word, registry)
      if (found !== undefined) return [found.tool.name]
      throw new Failure('invalid-input', `There is no tool and no category ${JSON.stringify(word)}.`, {
        hint: `Categories are ${categories.join(', ')}; "notewright tool list" lists the tools.`,
      })
    }),
  )
}
