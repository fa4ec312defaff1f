import { randomBytes } from 'node:crypto'
import { chmod, open, realpath, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { checkConfig, settingNamed, unknownSetting, valueFromText, withValueAt } from '../../../core/config/index.js'
import { makeFolder } from '../state/index.js'
import { readConfigFile } from './read-config.js'

/** Sets one value in the person's file and keeps all others; an empty text takes the value out again. */
export async function setConfigValue(file: string, key: string, text: string): Promise<unknown> {
  const setting = settingNamed(key)
  if (setting === undefined) throw unknownSetting(key)
  const value = text === '' ? undefined : valueFromText(setting, text)
  const tree = withValueAt(await readConfigFile(file), key, value)
  checkConfig(tree, file)
  await writePrivately(file, `${JSON.stringify(tree, null, 2)}\n`)
  return value
}

/** Through a temporary file beside it, so that a crash leaves the old file or the new one. */
async function writePrivately(file: string, text: string): Promise<void> {
  // A config kept elsewhere behind a link (dotfiles) stays a link.
  const target = await realpath(file).catch(() => file)
  await makeFolder(dirname(target))
  const temporary = `${target}.${randomBytes(6).toString('hex')}.tmp`
  try {
    const handle = await open(temporary, 'wx', 0o600)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await chmod(temporary, 0o600)
    await rename(temporary, target)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
