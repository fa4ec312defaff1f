import { parseRules, type RuleTexts, ruleVocabulary, screenNotes } from '../../../core/approval/index.js'
import { builtInTools, registry } from '../../../core/tools/index.js'
import type { FolderNotebook } from '../open-notebook.js'

/** The notebook without the notes that these rules deny to be read. What asks first is a person's own to read. */
export function denied(notebook: FolderNotebook, lists: readonly RuleTexts[]): FolderNotebook {
  const deny = lists.map(({ from, file, deny }) => ({ from, file, deny }))
  const screened = screenNotes(notebook, parseRules(deny, ruleVocabulary(registry(builtInTools))))
  if (screened === notebook) return notebook
  const withoutNames = async <Told extends { skipped: { path: string }[] }>(told: Told): Promise<Told> => {
    const seen = new Set<string>(await screened.index.files())
    return { ...told, skipped: told.skipped.filter(({ path }) => seen.has(path)) }
  }
  return {
    ...screened,
    update: async (options) => withoutNames(await notebook.update(options)),
    status: async () => withoutNames(await notebook.status()),
  }
}
