import type { ServerSetting } from '../../config/index.js'

/** All of what a server of a vault would run or reach, and is given: a secret in a vault is not the person's. */
export function whatItRuns(setting: ServerSetting): { argv: string[]; given: [string, string][] } {
  const isProgram = 'command' in setting
  return {
    argv: isProgram ? [setting.command, ...(setting.args ?? [])] : [setting.url],
    given: Object.entries((isProgram ? setting.env : setting.headers) ?? {}),
  }
}
