import type { Config } from '../../../core/config/index.js'
import type { FolderNotebook, OpenOptions } from '../../../hosts/node/open-notebook.js'
import { readableNotebook } from '../../../hosts/node/permissions/index.js'
import type { Invocation } from '../program/invocation.js'
import { visibleLine } from '../terminal/index.js'
import { withNotebook } from './with-notebook.js'

/** Opens the vault as it may be read: what a rule denies is not there for the person's own commands either. */
export async function withReadableNotebook<T>(
  invocation: Invocation,
  use: (notebook: FolderNotebook, config: Config) => Promise<T>,
  options: OpenOptions = {},
): Promise<T> {
  const onTrouble = (text: string) => invocation.terminal.say(visibleLine(text))
  return withNotebook(
    invocation,
    async (notebook, config) => use(await readableNotebook(notebook, config, onTrouble), config),
    options,
  )
}
