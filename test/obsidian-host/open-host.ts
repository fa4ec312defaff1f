import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { pageScript as bundlePageScript } from '../../scripts/bundle.mjs'
import { patienceMs } from '../browser/open-browser.js'
import { folderCalls } from './folder-bridge.js'
import { programBridge, type StartedProgram } from './program-bridge.js'

/** A page with the app in it, over folders of this machine. */
export interface ObsidianHost {
  page: Page
  context: BrowserContext
  /** Folders of vaults, by name. */
  folder(vault: string): string
  /** Errors and warnings of the page. */
  troubles: string[]
  /** Every request that left the page or `requestUrl`, but for the page's own files. */
  requests: string[]
  /** Programs that pages have started, where the app has Node. */
  programs: StartedProgram[]
  /** Another page of the same browser profile, as after a restart of the app. */
  reopen(): Promise<Page>
  close(): Promise<void>
}

const here = import.meta.dirname

/** One script for a page. */
export const pageScript = (entry: string): Promise<string> =>
  bundlePageScript(entry, {
    define: { 'process.env.NODE_ENV': '"production"' },
    alias: { vitest: join(here, 'in-page/vitest.ts'), obsidian: join(here, 'in-page/obsidian.ts') },
  })

let bundled: Promise<string> | undefined

export interface HostOptions {
  /** Runs in the page besides the app. */
  script?: string
  width?: number
  dark?: boolean
  /** Pages of the web as `requestUrl` finds them, by address; `location` where one leads on, `until` where one takes its time. */
  web?: Record<string, { status?: number; location?: string; html?: string; until?: Promise<void> }>
}

export async function openHost(browser: Pick<Browser, 'newContext'>, options: HostOptions = {}): Promise<ObsidianHost> {
  bundled ??= pageScript(join(here, 'app/main.ts'))
  const base = await mkdtemp(join(tmpdir(), 'notewright-obsidian-'))
  const theme = options.dark ? 'theme-dark' : 'theme-light'
  const files: Record<string, [string, string]> = {
    '/': [
      'text/html',
      `<!doctype html><html lang="en"><title>Obsidian</title><link rel="stylesheet" href="app.css"><body class="${theme}">`,
    ],
    '/app.css': ['text/css', await readFile(join(here, 'app/app.css'), 'utf8')],
    '/app.js': ['text/javascript', await bundled],
    '/own.js': ['text/javascript', options.script ?? ''],
  }
  const programs = programBridge()
  const server = createServer((request, response) => {
    if (programs.handle(request, response)) return
    const found = files[request.url ?? '']
    if (found === undefined) return void response.writeHead(404).end()
    response.writeHead(200, { 'Content-Type': `${found[0]}; charset=utf-8` }).end(found[1])
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1100, height: 800 },
    reducedMotion: 'reduce',
    colorScheme: options.dark ? 'dark' : 'light',
  })
  context.setDefaultTimeout(patienceMs)
  const troubles: string[] = []
  const requests: string[] = []
  context.on('weberror', (error) => troubles.push(error.error().stack ?? error.error().message))
  context.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource|CORS policy/.test(message.text()))
      troubles.push(message.text())
  })
  context.on('request', (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith('blob:')) requests.push(request.url())
  })
  const folder = (vault: string) => join(base, vault, 'vault')
  await context.exposeFunction('askFolder', async (vault: string, name: string, args: never[]) => {
    if (!existsSync(folder(vault))) await mkdir(folder(vault), { recursive: true })
    const calls = folderCalls(folder(vault), join(base, vault, 'system-trash'))
    return (calls[name as keyof typeof calls] as (...values: never[]) => unknown)(...args)
  })
  await context.exposeFunction('askWeb', async ({ url, method, body, headers = {}, contentType }: AskedUrl) => {
    requests.push(url)
    const { status = 200, location, html = '', until } = options.web?.[url] ?? {}
    await until
    if (options.web !== undefined && url in options.web) {
      const told = { 'Content-Type': 'text/html; charset=utf-8', ...(location && { Location: location }) }
      return { status, headers: told, base64: Buffer.from(html).toString('base64') }
    }
    if (contentType !== undefined) headers['Content-Type'] = contentType
    const answer = await fetch(url, { method, body, headers })
    const bytes = Buffer.from(await answer.arrayBuffer())
    return { status: answer.status, headers: Object.fromEntries(answer.headers), base64: bytes.toString('base64') }
  })

  async function open(): Promise<Page> {
    const page = await context.newPage()
    await page.goto(origin)
    await page.addScriptTag({ url: '/app.js' })
    await page.addScriptTag({ url: '/own.js' })
    return page
  }

  const self: ObsidianHost = {
    page: await open(),
    context,
    folder,
    troubles,
    requests,
    programs: programs.started,
    async reopen() {
      await self.page.close()
      self.page = await open()
      return self.page
    },
    async close() {
      await context.close()
      programs.close()
      await new Promise((resolve) => server.close(resolve))
      await rm(base, { recursive: true, force: true })
    },
  }
  return self
}

interface AskedUrl {
  url: string
  method?: string
  body?: string
  headers?: Record<string, string>
  contentType?: string
}

/** Files of a vault, put there before the app looks. */
export async function putFiles(folder: string, files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
}
