import type { Config } from '../../../../core/config/index.js'
import { Failure } from '../../../../core/errors.js'
import { installedCodex } from '../../../../hosts/node/codex/index.js'
import type { Finding } from './finding.js'

/** Whether models named `codex/…` could answer. Asks the program for its version and connects to nothing. */
export async function checkCodex(
  environment: Record<string, string | undefined>,
  { codex, model }: Pick<Config, 'codex' | 'model'>,
): Promise<Finding> {
  const subject = 'Codex'
  try {
    const { command, version, callsTools } = await installedCodex(environment, codex.path)
    const way = callsTools ? 'calls tools itself' : 'writes its calls as text'
    const own = codex.tools.length === 0 ? '' : `; may use its own tools: ${codex.tools.join(', ')}`
    return { subject, state: 'ok', text: `${version || 'of an unknown version'} at ${command}; ${way}${own}` }
  } catch (error) {
    const isWanted = codex.path !== undefined || /^codex(\/|$)/.test(model)
    if (!isWanted) return { subject, state: 'ok', text: 'not installed; only models named codex/… need it' }
    if (!(error instanceof Failure)) return { subject, state: 'fail', text: `cannot be run: ${firstLine(error)}` }
    return { subject, state: 'fail', text: error.message, advice: error.details.hint }
  }
}

const firstLine = (error: unknown) => (error as Error).message.split('\n')[0]
