import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { cleanEnvironment } from './clean-environment.js'
import { findCodex } from './find-codex.js'

/** The first version whose dynamic tools we know; those before are spoken to in text, which all understand. */
const callsToolsFrom = [0, 166] as const

/** Whether a version of Codex calls tools of ours itself. */
export function callsTools(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10))
  return major > callsToolsFrom[0] || (major === callsToolsFrom[0] && minor >= callsToolsFrom[1])
}

export interface InstalledCodex {
  command: string
  version: string
  callsTools: boolean
}

/** The person's Codex, asked for its version. Connects to nothing. */
export async function installedCodex(
  environment: Readonly<Record<string, string | undefined>>,
  path?: string,
): Promise<InstalledCodex> {
  const command = await findCodex(environment, path)
  // `codex-cli 0.166.0`
  const { stdout } = await promisify(execFile)(command, ['--version'], {
    env: cleanEnvironment(environment, []),
    timeout: 20_000,
  })
  const [version = ''] = /\d+\.\d+\.\d+\S*/.exec(stdout) ?? []
  return { command, version, callsTools: callsTools(version) }
}
