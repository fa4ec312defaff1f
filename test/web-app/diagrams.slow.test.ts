import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from '../browser/open-browser.js'
import { type Stage, stage } from '../e2e/cli-harness.js'
import { type ModelServer, modelServer } from '../e2e/model-server.js'
import { axeViolations } from '../ui/story-page.js'
import { ask, comeIn, type ServedPage, servePage } from './served-page.js'

const fenced = (text: string) => `\`\`\`mermaid\n${text}\n\`\`\``

const flow = `flowchart LR
  R[Rain on the roof] -->|42 m² & more| B(Water butt)
  B --> C{Dry June?}
  C -- yes --> Q[Quince<br>tree]`

const hostile = `%%{init: {"themeCSS": "@import url(https://evil.test/i); .node { background: url(https://evil.test/b) }"}}%%
flowchart TD
  A["<img src=x onerror=parent.__x=1><script>parent.__x=1</script>"] --> B[x]
  click A href "javascript:parent.__x=1"
  style A fill:#fee`

const answer = [
  'Rain runs like this:',
  fenced(flow),
  fenced('sequenceDiagram\n  accTitle: Who waters\n  Ada->>Ben: Your turn\n  Ben-->>Ada: Done'),
  fenced('flowchart LR\n  A -->'),
  fenced(hostile),
  fenced('mindmap\n  root'),
  fenced('pie title Beds\n  "Beans" : 4\n  "Tomatoes" : 6'),
].join('\n\n')

let browser: Browser
let place: Stage
let model: ModelServer
let served: ServedPage
let page: Page
let troubles: string[]
const requests: string[] = []

beforeAll(async () => {
  place = await stage()
  await place.write('Diagram.md', `# Diagram\n\n${fenced(flow)}\n`)
  model = await modelServer({ say: answer })
  const environment = { ...place.environment, ...model.environment }
  ;[browser, served] = await Promise.all([
    openBrowser(),
    servePage({ ...place, environment }, ['-m', 'compatible/test']),
  ])
  ;({ page, troubles } = await comeIn(browser, served, { viewport: { width: 1440, height: 900 } }))
  // A request that a policy refuses does not come here.
  await page.context().route('**', (route) => {
    requests.push(route.request().url())
    return route.continue()
  })
})
afterAll(async () => {
  await browser?.close()
  await served?.stop()
  await model?.stop()
  await place?.remove()
})

async function picture(name: string): Promise<void> {
  const folder = process.env.NOTEWRIGHT_PICTURES
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` })
}

const diagram = (at: number) => page.locator('.nw-turn .nw-diagram').nth(at)

/** Its picture, once the browser has drawn it. */
async function drawn(at: number): Promise<string> {
  await diagram(at).scrollIntoViewIfNeeded()
  const img = diagram(at).locator('img')
  await img.waitFor()
  await expect
    .poll(() => img.evaluate((element) => (element as { naturalWidth?: number }).naturalWidth))
    .toBeGreaterThan(0)
  return decodeURIComponent((await img.getAttribute('src')) ?? '')
}

/** The words of a drawn diagram, which stand in elements of their own. */
const wordsIn = (svg: string): string => svg.replace(/<style>[\s\S]*?<\/style>/g, '').replace(/<[^>]*>/g, '')

describe('Mermaid diagrams of an answer', () => {
  it('are drawn as pictures with their text, by a frame that has neither an origin nor a network', async () => {
    await ask(page, 'How does rain run?')
    await page.locator('.nw-turn-foot').waitFor()
    const first = wordsIn(await drawn(0))
    for (const words of ['Rain on the roof', '42 m² &amp; more', 'Quince']) expect(first).toContain(words)
    expect(wordsIn(await drawn(1))).toContain('Your turn')
    expect(await diagram(1).locator('img').getAttribute('alt')).toBe('Who waters')
    expect(wordsIn(await drawn(5))).toContain('Tomatoes')
    const frame = page.locator('iframe')
    expect(await frame.count()).toBe(1)
    expect(await frame.getAttribute('sandbox')).toBe('allow-scripts')
    const inFrame = page.frames().find((one) => one !== page.mainFrame())
    expect(await inFrame?.evaluate('origin')).toBe('null')
    expect(await inFrame?.evaluate(`fetch('/api/overview').then(() => 'sent', () => 'blocked')`)).toBe('blocked')
    expect(requests.filter((url) => !url.startsWith(served.url))).toEqual([])
    await diagram(0).scrollIntoViewIfNeeded()
    await picture('diagram-light')
  })

  it('show their code on request, and come back', async () => {
    await diagram(0).getByRole('button', { name: 'Show code' }).click()
    await diagram(0).getByText('R[Rain on the roof]').waitFor()
    await diagram(0).getByRole('button', { name: 'Show diagram' }).click()
    await drawn(0)
  })

  it('show their code and the reason if they are not valid', async () => {
    await diagram(2).scrollIntoViewIfNeeded()
    await diagram(2).getByText("This diagram can't be drawn. Parse error on line 3.").waitFor()
    await diagram(4).scrollIntoViewIfNeeded()
    await diagram(4).getByText('Diagrams of this kind are not supported.').waitFor()
    expect(await diagram(2).locator('pre').innerText()).toBe('flowchart LR\n  A -->')
  })

  it('run and load nothing that is written in them', async () => {
    await drawn(3)
    expect(await page.evaluate('window.__x')).toBeUndefined()
    expect(requests.filter((url) => url.includes('evil.test'))).toEqual([])
  })

  it('follow the theme, and have no violation of the rules for access', async () => {
    const light = await drawn(0)
    expect(await axeViolations(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
    await expect.poll(() => drawn(0)).not.toBe(light)
    await picture('diagram-dark')
    expect(await axeViolations(page)).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    await drawn(0)
    await picture('diagram-phone')
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
    // The policy of the frame refuses what the hostile diagram and this test try, and nothing else.
    expect(troubles.filter((text) => !/inline event handler|evil\.test|api\/overview/.test(text))).toEqual([])
  })

  it('are drawn in notes as well', async () => {
    await page.goto(`${served.url}/#note=Diagram.md`)
    await page.reload()
    const img = page.locator('.nw-note .nw-diagram img')
    await img.waitFor()
    expect(wordsIn(decodeURIComponent((await img.getAttribute('src')) ?? ''))).toContain('Rain on the roof')
  })
})
