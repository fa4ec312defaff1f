import type { RuleTexts } from '../../core/approval/index.js'
import { filterVisible, parseRules, ruleVocabulary } from '../../core/approval/index.js'
import type { IndexReport, UpdateOptions } from '../../core/index/index.js'
import { builtInTools, registry } from '../../core/tools/index.js'
import type { FolderNotebook } from './open-notebook.js'

/**
 * The notebook without the notes that these rules deny reading. Rules that ask first do not hide notes from the user.
 */
export function withoutDeniedNotes(notebook: FolderNotebook, lists: readonly RuleTexts[]): FolderNotebook {
  const deny = lists.map(({ from, file, deny }) => ({ from, file, deny }))
  const screened = filterVisible(notebook, parseRules(deny, ruleVocabulary(registry(builtInTools))))
  if (screened === notebook) return notebook
  const withoutNames = async <Told extends { skipped: { path: string }[] }>(told: Told): Promise<Told> => {
    const seen = new Set<string>(await screened.index.files())
    return { ...told, skipped: told.skipped.filter(({ path }) => seen.has(path)) }
  }
  function update(options: UpdateOptions & { wait: 'text' }): Promise<undefined>
  function update(options?: UpdateOptions & { wait?: 'vectors' }): Promise<IndexReport>
  async function update(options: UpdateOptions = {}): Promise<IndexReport | undefined> {
    const { wait, ...rest } = options
    if (wait === 'text') return notebook.update({ ...rest, wait })
    const report = await notebook.update(rest)
    return withoutNames(report)
  }
  return {
    ...screened,
    update,
    rebuild: async (options) => withoutNames(await notebook.rebuild(options)),
    status: async () => withoutNames(await notebook.status()),
  }
}
