import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { buildPlugin } from '../../scripts/build-plugin.mjs'
import { type HostOptions, type ObsidianHost, openHost, putFiles } from '../obsidian-host/open-host.js'

/** The plugin as it is released, switched on in a vault of its own. */
export interface PluginPage extends ObsidianHost {
  /** Milliseconds that `onload` took. */
  onloadMs: number
  read(path: string): Promise<string>
  /** Plays another program that writes to the vault. Settings that are written so are agreed to. */
  write(path: string, text: string): Promise<void>
  /** Plays a sync that brings settings of another device, to which nobody has agreed on this one. */
  sync(data: Record<string, unknown>): Promise<void>
  /** Runs a command by its name in the plugin. */
  run(command: string): Promise<void>
  /** As after closing and opening the app. */
  restart(): Promise<Page>
  settings(): Promise<Record<string, unknown>>
}

let built: Promise<string> | undefined

/** The three files, built once for all tests of a file. */
export function release(): Promise<string> {
  built ??= (async () => {
    const folder = await mkdtemp(join(tmpdir(), 'notewright-plugin-'))
    await buildPlugin(folder)
    return folder
  })()
  return built
}

export async function removeRelease(): Promise<void> {
  if (built !== undefined) await rm(await built, { recursive: true, force: true })
}

const vault = 'garden'

export interface PluginOptions extends HostOptions {
  files?: Record<string, string>
  /** The plugin's `data.json`. */
  data?: Record<string, unknown>
  /** The settings were made elsewhere: nobody has agreed to them here. */
  isNewDevice?: boolean
  phone?: boolean
  /** The app's configuration folder. */
  configDir?: string
  /** The app has Node, as on a desktop, with this environment. */
  environment?: Record<string, string>
}

export async function openPlugin(
  browser: Pick<Browser, 'newContext'>,
  options: PluginOptions = {},
): Promise<PluginPage> {
  const { files = {}, data, phone = false, configDir = '.obsidian', environment, isNewDevice, ...rest } = options
  const host = await openHost(browser, rest)
  const folder = host.folder(vault)
  const place = `${configDir}/plugins/notewright`
  await putFiles(folder, { [`${configDir}/app.json`]: '{"trashOption":"local"}', ...files })
  await cp(await release(), join(folder, place), { recursive: true })
  if (data !== undefined) await putFiles(folder, { [`${place}/data.json`]: JSON.stringify(data) })

  const enable = async (page: Page): Promise<number> => {
    await page.evaluate(`host.open(${JSON.stringify(vault)}, ${JSON.stringify({ phone, configDir, environment })})`)
    // As on a device where the user has the plugin already, so that the settings are their own.
    if (!isNewDevice) await page.evaluate('host.app.saveLocalStorage("notewright-vault", "garden-vault")')
    return page.evaluate('host.enable("notewright")')
  }
  const self: PluginPage = Object.assign(host, {
    onloadMs: await enable(host.page),
    read: (path: string) => readFile(join(folder, path), 'utf8'),
    async write(path: string, text: string) {
      await putFiles(folder, { [path]: text })
      if (path !== `${place}/data.json`) return void (await self.page.evaluate('host.app.vault.reconcile()'))
      // Nothing waits for the user, so nothing is said about it.
      await self.page.evaluate(`(async () => {
        const { tell } = host.plugin
        host.plugin.tell = () => {}
        await host.app.vault.reconcile()
        await host.plugin.onExternalSettingsChange()
        await host.plugin.agree()
        host.plugin.tell = tell
      })()`)
    },
    async sync(data: Record<string, unknown>) {
      await putFiles(folder, { [`${place}/data.json`]: JSON.stringify(data) })
      await self.page.evaluate('host.plugin.onExternalSettingsChange()')
    },
    run: (command: string) => self.page.evaluate(`host.run("notewright:${command}")`) as Promise<void>,
    async restart() {
      const page = await self.reopen()
      await enable(page)
      return page
    },
    settings: async () => JSON.parse(await readFile(join(folder, place, 'data.json'), 'utf8')),
  })
  return self
}

/** Asks in the chat pane. */
export async function ask({ page }: PluginPage, words: string): Promise<void> {
  await page.getByLabel('Your question').fill(words)
  await page.keyboard.press('Enter')
}

/** The plugin's settings, once the vault is open. */
export async function openSettings({ page }: PluginPage): Promise<void> {
  await page.evaluate('host.plugin.opened()')
  await page.evaluate('host.openSettings()')
  await page.getByLabel('Default model').waitFor()
}

/** As if the user had agreed, on this device, that the keys of these services are sent to these origins. */
export const sendKeysTo = ({ page }: PluginPage, origins: Record<string, string>): Promise<void> =>
  page.evaluate(`(async () => {
    const { recipients } = (await host.plugin.opened()).vault
    for (const [service, origin] of Object.entries(${JSON.stringify(origins)})) {
      await recipients.trust({ service, origin, isUsual: false })
    }
  })()`)
