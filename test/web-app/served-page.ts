import { type ChildProcess, spawn } from 'node:child_process'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { patienceMs } from '../browser/open-browser.js'
import { program, type Stage } from '../e2e/cli-harness.js'

/** `notewright web` as a person starts it, with a browser that may come in. */
export interface ServedPage {
  /** The link with its code. */
  link: string
  /** Without it. */
  url: string
  child: ChildProcess
  messages(): string
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** `cwd`: no vault is named, and the program is started there. */
export async function servePage(stage: Stage, words: string[] = [], cwd?: string): Promise<ServedPage> {
  const vault = cwd === undefined ? ['--vault', stage.vault] : []
  const all = ['web', '--no-open', '--json', '-m', 'offline', ...vault, ...words]
  const port = words.includes('--port') ? [] : ['--port', '0']
  const child = spawn(process.execPath, [program, ...all, ...port], { env: stage.environment, cwd })
  let messages = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    messages += text
  })
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').once('data', resolve)
    child.once('close', (code) => reject(new Error(`web ended with ${code}: ${messages}`)))
  })
  const link: string = JSON.parse(line).url
  return {
    link,
    url: new URL(link).origin,
    child,
    messages: () => messages,
    stop(signal = 'SIGINT') {
      child.kill(signal)
      return exited
    },
  }
}

/** A browser of its own that has come in, with what it complained about. */
export async function comeIn(
  browser: Browser,
  { link }: ServedPage,
  options: Parameters<Browser['newContext']>[0] = {},
) {
  const context: BrowserContext = await browser.newContext({
    viewport: { width: 1000, height: 800 },
    reducedMotion: 'reduce',
    ...options,
  })
  context.setDefaultTimeout(patienceMs)
  const troubles: string[] = []
  context.on('weberror', (error) => troubles.push(error.error().message))
  context.on('console', (message) => {
    // A connection that is lost, and a request that is refused on purpose, are told by the browser too.
    if (message.type() === 'error' && !/Failed to load resource|ERR_/.test(message.text()))
      troubles.push(message.text())
  })
  const page: Page = await context.newPage()
  await page.goto(link)
  await page.waitForSelector('.nw-composer, .page-outside')
  return { context, page, troubles }
}

export async function ask(page: Page, words: string): Promise<void> {
  await page.getByLabel('Your question').fill(words)
  await page.keyboard.press('Enter')
}
