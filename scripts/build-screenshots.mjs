// `node scripts/build-screenshots.mjs`: pictures of the web page for the docs, taken of the built program on a copy of the
// sample vault. Needs a Chromium or Chrome on the PATH.
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { chromium } from 'playwright-core'

const folder = mkdtempSync(join(tmpdir(), 'notewright-pictures-'))
const vault = join(folder, 'Sample vault')
cpSync('examples/vault', vault, { recursive: true })
const words = ['web', '--no-open', '--json', '--port', '0', '-m', 'offline', '--vault', vault]
const program = spawn(process.execPath, ['dist/notewright.js', ...words], {
  env: { ...process.env, NOTEWRIGHT_HOME: join(folder, 'home') },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const { url } = JSON.parse(await new Promise((resolve) => program.stdout.once('data', resolve)))
const names = ['chromium', 'chromium-browser', 'google-chrome']
const places = (process.env.PATH ?? '').split(delimiter).flatMap((place) => names.map((name) => join(place, name)))
const browser = await chromium.launch({
  executablePath: places.find(existsSync),
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
})
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: 'light' })
  await page.goto(url)
  await ask('What helps against late blight?')
  await page.locator('.nw-chip').first().click()
  await page.locator('.nw-note').waitFor()
  await picture('web-answer')
  await page.locator('.page-side > header').getByLabel('Close').click()
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.getByLabel('Your question').fill('tag "Country Loaf" with wheat')
  await page.keyboard.press('Enter')
  await page.locator('[data-panel]').waitFor()
  await picture('web-approval')
  await page.emulateMedia({ colorScheme: 'light' })
  await page.locator('.page-sidebar').getByRole('button', { name: 'Settings' }).click()
  await page.locator('.page-section').waitFor()
  await picture('web-settings')

  async function ask(text) {
    await page.getByLabel('Your question').fill(text)
    await page.keyboard.press('Enter')
    await page.locator('.nw-turn-foot').last().waitFor()
  }
  async function picture(name) {
    await page.waitForTimeout(300)
    await page.screenshot({ path: `docs/images/${name}.png` })
    console.log(`Wrote docs/images/${name}.png`)
  }
} finally {
  await browser.close()
  program.kill('SIGINT')
  await new Promise((resolve) => program.once('close', resolve))
  rmSync(folder, { recursive: true, force: true })
}
