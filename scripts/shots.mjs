// `npm run shots`: pictures of every screen of the web page, taken of the built program, into `dist/shots`. They are for
// looking at and are not committed. Screens are 1440×900, 390×844 (a phone) and 380×900 (as narrow as a pane), light and dark.
// Options: `-- --vault FOLDER` (a copy of it is used; default: the sample vault), `-- --only NAME` (sizes, themes or screens
// whose file name contains it), `-- --out FOLDER`.
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'

const { values } = parseArgs({
  options: {
    vault: { type: 'string', default: 'examples/vault' },
    only: { type: 'string', default: '' },
    out: { type: 'string', default: 'dist/shots' },
  },
})

const sizes = {
  wide: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  pane: { viewport: { width: 380, height: 900 } },
}

const folder = mkdtempSync(join(tmpdir(), 'notewright-shots-'))
const isSample = resolve(values.vault) === resolve('examples/vault')
const vault = join(folder, isSample ? 'Sample vault' : basename(resolve(values.vault)))
cpSync(values.vault, vault, { recursive: true, filter: (path) => basename(path) !== '.git' })
mkdirSync(values.out, { recursive: true })
const running = []
const names = ['chromium', 'chromium-browser', 'google-chrome']
const places = (process.env.PATH ?? '').split(delimiter).flatMap((place) => names.map((name) => join(place, name)))
const browser = await chromium.launch({
  executablePath: places.find(existsSync),
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
})

try {
  // The same program serves all pictures, so that later ones have chats and changes to show.
  const url = await serve(['--vault', vault])
  const state = await signedIn(url)
  for (const [size, options] of Object.entries(sizes)) {
    for (const theme of ['light', 'dark']) await pictures(size, options, theme, url, state)
  }
  const choice = await serve([], folder)
  for (const [size, options] of Object.entries(sizes)) {
    for (const theme of ['light', 'dark']) await choicePicture(size, options, theme, choice)
  }
} finally {
  await browser.close()
  for (const { program, closed } of running) {
    program.kill('SIGINT')
    await closed
  }
  rmSync(folder, { recursive: true, force: true })
}

/** Starts the program and returns its sign-in link. */
async function serve(words, home = join(folder, 'home')) {
  const all = ['dist/notewright.js', 'web', '--no-open', '--json', '--port', '0', '-m', 'offline', ...words]
  const own = words.length === 0 ? { HOME: join(folder, 'nobody'), NOTEWRIGHT_HOME: join(folder, 'first') } : {}
  mkdirSync(join(folder, 'nobody'), { recursive: true })
  const program = spawn(process.execPath, [resolve(all[0]), ...all.slice(1)], {
    cwd: words.length === 0 ? join(folder, 'nobody') : process.cwd(),
    env: { ...process.env, NOTEWRIGHT_HOME: home, ...own },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running.push({ program, closed: new Promise((done) => program.once('close', done)) })
  return JSON.parse(await new Promise((done) => program.stdout.once('data', done))).url
}

/** The link is good once: its browser's state is given to all contexts. */
async function signedIn(link) {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(link)
  await page.locator('.nw-composer, .page-outside').first().waitFor()
  const state = await context.storageState()
  await context.close()
  return state
}

async function pictures(size, options, theme, link, storageState) {
  const context = await browser.newContext({ ...options, colorScheme: theme, storageState, reducedMotion: 'reduce' })
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  await page.goto(new URL('/', link).href)
  await page.locator('.nw-composer').waitFor()
  const isNarrow = options.viewport.width <= 860
  const sidebar = page.locator('.page-sidebar')

  async function shoot(screen) {
    const name = `${size}-${theme}-${screen}`
    if (!name.includes(values.only)) return
    await page.waitForTimeout(300)
    await page.screenshot({ path: join(values.out, `${name}.png`) })
    console.log(`Wrote ${join(values.out, `${name}.png`)}`)
  }
  /** One screen that fails does not keep the others from being taken. */
  async function screen(name, steps) {
    try {
      await steps()
    } catch (error) {
      console.log(`${size}-${theme}-${name}: ${error.message.split('\n')[0]}`)
      process.exitCode = 1
    }
  }
  const openDrawer = async () => isNarrow && page.getByRole('button', { name: 'Open sidebar' }).click()
  async function view(name) {
    await openDrawer()
    await sidebar.getByRole('button', { name, exact: true }).click()
  }
  async function newChat() {
    await openDrawer()
    await sidebar.locator('.page-side-nav').getByRole('button', { name: 'New chat' }).click()
    await page.locator('.page-welcome').waitFor()
  }
  async function ask(text) {
    await page.getByLabel('Your question').fill(text)
    await page.keyboard.press('Enter')
  }
  const closeSide = () => page.locator('.page-side > header').getByLabel('Close').click()

  await screen('welcome', async () => {
    await page.waitForTimeout(1500)
    await shoot('welcome')
  })
  await screen('chat', async () => {
    await newChat()
    const offered = page.locator('.page-ask')
    if ((await offered.count()) > 0) await offered.first().click()
    else await ask(isSample ? 'What helps against late blight?' : 'What are these notes about?')
    await page.locator('.nw-turn-foot').last().waitFor()
    await shoot('chat')
  })
  await screen('note', async () => {
    await page.locator('.nw-chip').first().click()
    await page.locator('.nw-note').waitFor()
    await shoot('note')
    const graph = page.getByRole('button', { name: 'Graph', exact: true }).last()
    await graph.click()
    await page.locator('canvas[data-rests]').waitFor()
    await page.locator('canvas').scrollIntoViewIfNeeded()
    await shoot('note-graph')
    await closeSide()
  })
  await screen('chat-graph', async () => {
    await page.locator('.page-head').getByRole('button', { name: 'Notes in this chat' }).click()
    await page.locator('canvas[data-rests]').waitFor()
    await shoot('chat-graph')
    await closeSide()
  })
  if (isSample) {
    await screen('approval', async () => {
      await newChat()
      await ask('tag "Country Loaf" with wheat')
      await page.locator('[data-panel]').waitFor()
      await shoot('approval')
      await page.locator('[data-panel]').getByRole('button', { name: 'Deny', exact: true }).click()
      await page.locator('.nw-turn-foot').last().waitFor()
      await ask(`tag "Country Loaf" with ${size}${theme}`)
      await page.locator('.nw-allow').click()
      await page.locator('.nw-turn-foot').nth(1).waitFor()
      await shoot('changed')
    })
  }
  await screen('chats', async () => {
    await view('Chats')
    await page.locator('.page-chat-row').first().waitFor()
    await shoot('chats')
    await page.getByLabel('Search in chats').fill('zzzz')
    await page.getByText('Nothing found').waitFor()
    await shoot('chats-empty')
    await page.getByLabel('Search in chats').fill('')
    await page.locator('.page-chat-row .page-row-more').first().click()
    await page.getByRole('menuitem', { name: /^Delete/ }).click()
    await page.getByRole('dialog').waitFor()
    await shoot('chat-delete')
    await page.keyboard.press('Escape')
  })
  await screen('search', async () => {
    await view('Search')
    await page.getByLabel('Search your notes').waitFor()
    await shoot('search-empty')
    await page.getByLabel('Search your notes').fill(isSample ? 'compost' : 'plugin')
    await page.locator('.nw-hits > *').first().waitFor()
    await shoot('search')
  })
  await screen('activity', async () => {
    await view('Activity')
    await page.locator('.nw-activity').waitFor()
    await shoot('activity')
    await page.locator('.nw-event .nw-fold-label').first().click()
    await shoot('activity-open')
    await page.getByLabel('Filter by note or word').fill('zzzz')
    await shoot('activity-empty')
  })
  await screen('settings', async () => {
    await view('Settings')
    const sections = page.getByRole('navigation', { name: 'Sections of the settings' }).getByRole('button')
    await page.locator('.page-section').waitFor()
    for (const name of await sections.allInnerTexts()) {
      await sections.getByText(name, { exact: true }).click()
      await page.waitForTimeout(500)
      await shoot(`settings-${name.trim().toLowerCase().replaceAll(' ', '-')}`)
    }
  })
  await screen('palette', async () => {
    await newChat()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Command palette' }).waitFor()
    await shoot('palette')
    await page.keyboard.press('Escape')
    await page.evaluate('document.activeElement.blur()')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await shoot('help')
    await page.keyboard.press('Escape')
  })
  await screen('drawer', async () => {
    if (!isNarrow) return
    await openDrawer()
    await shoot('drawer')
  })
  await context.close()
}

async function choicePicture(size, options, theme, link) {
  const name = `${size}-${theme}-choose-vault`
  if (!name.includes(values.only)) return
  choicePicture.state ??= await signedIn(link)
  const context = await browser.newContext({ ...options, colorScheme: theme, storageState: choicePicture.state })
  const page = await context.newPage()
  await page.goto(new URL('/', link).href)
  await page.locator('.page-outside').waitFor()
  await page.screenshot({ path: join(values.out, `${name}.png`) })
  console.log(`Wrote ${join(values.out, `${name}.png`)}`)
  await context.close()
}
