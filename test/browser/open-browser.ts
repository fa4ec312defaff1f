import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

/** Something expected on a page may take long on a busy machine. */
export const patienceMs = 60_000

/** Nothing that weakens what a page may do: these only fit a machine without a screen. */
const flags = [
  '--no-sandbox',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--font-render-hinting=none',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A real browser: one that is installed, else the one that lies in a package. Without one the test fails and says what to run. */
export async function openBrowser(more: readonly string[] = []): Promise<Browser> {
  const executablePath = findChromium() ?? (await packedChromium())
  return chromium.launch({ executablePath, args: [...flags, ...more], timeout: patienceMs })
}

/** A browser whose pages keep what they store in a folder, as an app does. It has one context, whatever its options. */
export async function openProfile(folder: string): Promise<Pick<Browser, 'newContext'>> {
  const executablePath = findChromium() ?? (await packedChromium())
  return {
    newContext: (options) => chromium.launchPersistentContext(folder, { ...options, executablePath, args: flags }),
  }
}

async function packedChromium(): Promise<string> {
  try {
    // Its own `args` switch web security off: they are never used.
    const { default: packed } = await import('@sparticuz/chromium')
    return await packed.executablePath()
  } catch (error) {
    throw new Error(
      `These tests need a browser. Run: apt-get install chromium (or install Chrome). ${(error as Error).message}`,
    )
  }
}

/** The Chromium of this machine; undefined where none is installed. */
export function findChromium(): string | undefined {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
  const folders = (process.env.PATH ?? '').split(delimiter)
  const usual = [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ]
  return [...folders.flatMap((folder) => names.map((name) => join(folder, name))), ...usual].find(isProgram)
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
