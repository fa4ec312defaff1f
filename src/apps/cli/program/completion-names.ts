import { settings } from '../../../core/config/index.js'
import { dialectNames } from '../../../core/dialects/index.js'
import { providers } from '../../../core/providers/index.js'
import { builtInTools } from '../../../core/tools/index.js'
import type { FixedNames } from './completion-scripts.js'

/**
 * Names that do not depend on the vault. Loaded only for the script, since the tools take a while; the rooms are imported
 * by name here, because a whole room imported at run time would keep all of it together in every command.
 */
export const fixedNames: FixedNames = {
  tool: builtInTools.map(({ name }) => name),
  setting: settings.map(({ key }) => key),
  provider: providers.map(({ id }) => id),
  dialect: ['auto', 'native', 'sentinel', 'use-tool'],
  format: dialectNames,
}
