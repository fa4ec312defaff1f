import { type ChildProcess, spawn } from 'node:child_process'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { openBrowser, patienceMs } from '../browser/open-browser.js'
import { program, type Stage, stage } from '../e2e/cli-harness.js'

/** `notewright web` as a user starts it, with a browser that may come in. */
export interface ServedPage {
  /** The link with its code. */
  link: string
  /** Without it. */
  url: string
  child: ChildProcess
  messages(): string
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

export interface ServeOptions {
  /** No vault is named, and the program is started there. */
  cwd?: string
  /** No port is named, as users start it. Otherwise it is any that is free, unless the words name one. */
  usualPort?: boolean
}

export async function servePage(
  stage: Pick<Stage, 'vault' | 'environment'>,
  words: string[] = [],
  { cwd, usualPort = false }: ServeOptions = {},
): Promise<ServedPage> {
  const vault = cwd === undefined ? ['--vault', stage.vault] : []
  const all = ['web', '--no-open', '--json', '-m', 'offline', ...vault, ...words]
  const port = usualPort || words.includes('--port') ? [] : ['--port', '0']
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

/** Signs in with the link, as the page does. Answers the headers that the page's requests carry. */
export async function signIn({ link, url }: ServedPage): Promise<Record<string, string>> {
  const headers = { 'Content-Type': 'application/json', Origin: url }
  const body = JSON.stringify({ code: codeOf(link) })
  const answer = await fetch(`${url}/api/login`, { method: 'POST', headers, body })
  const { credential } = (await answer.json()) as { credential: string }
  return { ...headers, Authorization: `Bearer ${credential}` }
}

export const codeOf = (link: string): string | null => new URLSearchParams(new URL(link).hash.slice(1)).get('code')

/** For code that a test runs in the page: `apiFetch(path, init)` asks with the page's credential. */
const apiFetch = `window.apiFetch = (path, init = {}) => fetch('/api/' + path, {
  ...init, headers: { ...init.headers, Authorization: 'Bearer ' + localStorage.getItem('notewright-login') },
})`

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
  await context.addInitScript(apiFetch)
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

/** A vault of its own, its page, and a browser that has come in. */
export interface OpenedPage extends Awaited<ReturnType<typeof comeIn>> {
  place: Stage
  served: ServedPage
  browser: Browser
  close(): Promise<void>
}

/** Opens the page of a new vault for the tests of a file. `prepare` writes into the vault before the server starts. */
export async function openPage(
  prepare: (place: Stage) => Promise<unknown> = async () => {},
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<OpenedPage> {
  const place = await stage()
  const started: { browser?: Browser; served?: ServedPage } = {}
  async function close(): Promise<void> {
    await started.browser?.close()
    await started.served?.stop()
    await place.remove()
  }
  try {
    await prepare(place)
    const [browser, served] = await Promise.all([
      openBrowser().then((opened) => {
        started.browser = opened
        return opened
      }),
      servePage(place).then((page) => {
        started.served = page
        return page
      }),
    ])
    return { place, served, browser, ...(await comeIn(browser, served, options)), close }
  } catch (error) {
    await close()
    throw error
  }
}

export async function ask(page: Page, words: string): Promise<void> {
  await page.getByLabel('Your question').fill(words)
  // The answer before may have been shown a moment before it was over.
  await page.locator('.nw-send:not(.nw-send-stop):enabled').waitFor()
  await page.keyboard.press('Enter')
}

/** A view by its entry in the sidebar, which is a drawer where there is little room. */
export async function showView(
  page: Page,
  name: 'Chats' | 'Search' | 'Activity' | 'Check vault' | 'Settings',
): Promise<void> {
  await openDrawer(page)
  await page.locator('.page-sidebar').getByRole('button', { name, exact: true }).click()
  await page.getByRole('region', { name, exact: true }).waitFor()
}

export async function newChat(page: Page): Promise<void> {
  await openDrawer(page)
  await page.locator('.page-side-nav').getByRole('button', { name: 'New chat' }).click()
  await page.waitForSelector('.page-welcome')
  // It comes after the next frame, and would take the focus from what a test presses.
  await page.locator('.nw-composer textarea:focus').waitFor()
}

/** Presses Tab until the control has the focus, once it is there. */
export async function tabTo(page: Page, control: Locator, most = 200): Promise<void> {
  await control.waitFor()
  for (let at = 0; at < most; at++) {
    await page.keyboard.press('Tab')
    if (await control.evaluate((own) => own === own.ownerDocument.activeElement)) return
  }
  throw new Error(`Tab never comes to ${control}`)
}

/** Waits until the index has a note that was written while the server runs. */
export async function indexed(page: Page, path: string, query: string): Promise<void> {
  const request = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ query }) }
  const search = `apiFetch('search', ${JSON.stringify(request)}).then((answer) => answer.text())`
  await expect.poll(() => page.evaluate(search)).toContain(path)
}

/** Presses a key that an approval ignores in its first moment, until it has done something. */
export async function pressUntil(page: Page, key: string, done: () => Promise<boolean>): Promise<void> {
  await expect
    .poll(async () => {
      await page.keyboard.press(key)
      return done()
    })
    .toBe(true)
}

/** From another view to the chat that is named in the address, or a new one. */
export async function backToChat(page: Page): Promise<void> {
  if (!new URL(page.url()).hash.includes('session=')) return newChat(page)
  await openDrawer(page)
  await page.locator('.page-chat-line .page-row').first().click()
}

async function openDrawer(page: Page): Promise<void> {
  const opener = page.getByRole('button', { name: 'Open sidebar' })
  if (await opener.isVisible()) await opener.click()
}

/** Chooses in a menu of the composer: "Approvals", "Mode", "Model" or "Project". */
export async function chooseSetting(page: Page, name: string, choice: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^${name}:`) }).click()
  await page.getByRole('menuitemradio', { name: new RegExp(`^${choice}`) }).click()
}
