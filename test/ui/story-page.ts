import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { bundlePage } from '../../scripts/bundle-page.mjs'

const ownFolder = join(import.meta.dirname, 'stories')

/** Policy of the page: only its own scripts and styles. */
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'"

export interface StoryPage {
  url: string
  /** Addresses that were asked for besides the page's own files. */
  strays: string[]
  close(): Promise<void>
}

/** All stories on one page, served as the web app serves its own. */
export async function serveStories(folder = ownFolder): Promise<StoryPage> {
  const { js, css } = await bundlePage({ script: join(folder, 'page.tsx'), style: join(folder, 'page.css') })
  const files: Record<string, [string, string]> = {
    '/': [
      'text/html',
      '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Stories</title><link rel="stylesheet" href="page.css"></head><body><script type="module" src="page.js"></script></body></html>',
    ],
    '/page.js': ['text/javascript', js],
    '/page.css': ['text/css', css],
    '/favicon.ico': ['image/x-icon', ''],
  }
  const strays: string[] = []
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://stories')
    const [type, body] = files[pathname] ?? []
    if (type === undefined) strays.push(pathname)
    response.writeHead(type === undefined ? 404 : 200, {
      'Content-Type': `${type}; charset=utf-8`,
      'Content-Security-Policy': policy,
    })
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    strays,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Violations that axe finds on the screen, each with its element. `without`: rules that do not apply to this page. */
export async function axeViolations(page: Page, without: readonly string[] = []): Promise<string[]> {
  // By the debugger, as an extension would: the page's own rules forbid scripts from elsewhere.
  await page.evaluate(axeSource)
  const found = (await page.evaluate('axe.run({ resultTypes: ["violations"] })')) as {
    violations: { id: string; nodes: { target: string[]; failureSummary: string }[] }[]
  }
  const applying = found.violations.filter(({ id }) => !without.includes(id))
  return applying.flatMap(({ id, nodes }) =>
    nodes.slice(0, 5).map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  )
}

export interface OpenedStories {
  page: Page
  /** Addresses that were asked for. */
  requests: string[]
  /** Errors and warnings of the page. */
  troubles: string[]
}

/** `stopped`: the clock advances only when the test says so. */
export async function openStories(
  browser: Browser,
  { url }: StoryPage,
  query: string,
  { width = 700, stopped = false } = {},
): Promise<OpenedStories> {
  const page = await browser.newPage({ viewport: { width, height: 900 }, reducedMotion: 'reduce' })
  const requests: string[] = []
  const troubles: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  page.on('pageerror', (error) => troubles.push(error.message))
  page.on('console', (message) => message.type() === 'error' && troubles.push(message.text()))
  if (stopped) {
    await page.clock.install({ time: 0 })
    await page.clock.pauseAt(1000)
  }
  await page.goto(`${url}${query}`)
  await page.waitForSelector('[data-story]')
  return { page, requests, troubles }
}

/** Opens everything that is folded, and what is folded inside of it. Each once: a menu may close another one. */
export async function unfold(page: Page): Promise<void> {
  for (let more = 1; more > 0; ) {
    more = await page.evaluate(`{
      const opened = (globalThis.openedFolds ??= new Set())
      const closed = [...document.querySelectorAll('[aria-expanded="false"]')].filter((button) => !opened.has(button))
      for (const button of closed) {
        opened.add(button)
        button.click()
      }
      closed.length
    }`)
  }
}

/** By how much the page is wider than its window. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - innerWidth')
