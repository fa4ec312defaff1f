import type { ServerSetting } from '../../config/index.js'

/** All of what a server of a vault would run or reach, and is given: a secret in a vault is not the person's. */
export function whatItRuns(setting: ServerSetting): { argv: string[]; given: [string, string][] } {
  const isProgram = 'command' in setting
  return {
    argv: isProgram ? [setting.command, ...(setting.args ?? [])] : [setting.url],
    given: Object.entries((isProgram ? setting.env : setting.headers) ?? {}),
  }
}

/** Each word as it is passed on: where one ends and the next begins can be seen. */
export function shownArgv(argv: readonly string[]): string {
  return argv.map((word) => (/^[\w@%+=:,./~-]+$/.test(word) ? word : JSON.stringify(word))).join(' ')
}
