import { spawn } from 'node:child_process'
import type { Invocation } from '../../program/invocation.js'
import { jsonLine } from '../../terminal/index.js'

export function announce({ terminal }: Invocation, url: string, open: boolean): void {
  if (terminal.json) terminal.print(jsonLine({ url }))
  else {
    terminal.print(`Your notes are at ${url}`)
    terminal.say('The link lets one browser in, once, within two minutes. Ctrl-C ends it.')
  }
  if (open) openBrowser(url)
}

/** The person's own browser; where there is none, the link was printed. */
function openBrowser(url: string): void {
  const [command, ...rest] =
    process.platform === 'darwin'
      ? ['open']
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler']
        : ['xdg-open']
  const child = spawn(command, [...rest, url], { stdio: 'ignore', detached: true })
  child.once('error', () => {})
  child.unref()
}
