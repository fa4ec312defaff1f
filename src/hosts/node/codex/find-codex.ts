import { access, constants, stat } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'
import { modelFailure } from '../../../core/model/index.js'
import { codexContext } from './codex-context.js'

type Environment = Readonly<Record<string, string | undefined>>

/** The person's own Codex: where the settings say, else the first one on PATH. */
export async function findCodex(environment: Environment, configured?: string): Promise<string> {
  const home = environment.HOME ?? ''
  const wanted = configured?.replace(/^~(?=[/\\])/, home)
  if (wanted !== undefined) {
    if (await isProgram(wanted)) return wanted
    throw notFound(`There is no program at ${wanted}, where codex.path says Codex is.`)
  }
  const names = process.platform === 'win32' ? ['codex.exe'] : ['codex']
  for (const folder of (environment.PATH ?? '').split(delimiter)) {
    // A relative entry would find whatever lies in the current folder, which may be a vault.
    if (!isAbsolute(folder)) continue
    for (const name of names) if (await isProgram(join(folder, name))) return join(folder, name)
  }
  throw notFound('Codex is not installed.')
}

function notFound(message: string) {
  return modelFailure('unreachable', codexContext(''), message, {
    hint: 'Install it with npm install -g @openai/codex and sign in with codex login, or say where it is: notewright config set codex.path PATH',
  })
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}
