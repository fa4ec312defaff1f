import { existsSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Failure } from '../../../../core/errors.js'
import { findVault, vaultsHere, vaultWish } from '../../../../hosts/node/find-vault/index.js'
import { changeSetting } from '../../../../hosts/node/setup/index.js'
import { chooseVaultDoors } from '../../../web/index.js'
import type { Invocation } from '../../program/invocation.js'
import { readSettings, setupPlace } from '../../session/locate-vault.js'
import { tokenFor } from '../../session/server-token.js'
import { announce } from './announce.js'
import { start, until, type WebOptions } from './serve-page.js'

export interface ChosenVault {
  root: string
  /** Where the page waits for the vault to be opened. */
  port: number
}

/** Lets the person choose on the page where no vault is named and none is meant for sure. undefined: one is there. */
export async function chooseVault(invocation: Invocation, options: WebOptions): Promise<ChosenVault | undefined> {
  const { surroundings, signal } = invocation
  const { loaded, config } = await readSettings(invocation)
  if (vaultWish(loaded) !== undefined) return undefined
  const found = await findVault(undefined, surroundings).catch(() => undefined)
  const vaults = await vaultsHere(surroundings)
  if (found !== undefined && (found.from === 'this folder' || vaults.length === 1)) return undefined

  const sample = join(surroundings.home, 'Notewright sample')
  let chosen = (_root: string) => {}
  const choice = new Promise<string | undefined>((take) => {
    chosen = take
    void until(signal).then(() => take(undefined))
  })
  const token = await tokenFor(invocation)
  const { doors, newCode } = await chooseVaultDoors(
    {
      vaults,
      sample,
      async choose(wish) {
        if ('path' in wish) chosen(await chosenFolder(invocation, wish.path))
        else chosen(await copiedSample(sample))
      },
    },
    token,
  )
  const server = await start(invocation, { token, doors, port: options.port, usualPort: config.serve.port })
  announce(invocation, `${server.url}/#code=${newCode()}`, options.open)
  const root = await choice
  await server.close()
  signal.throwIfAborted()
  return { root: root!, port: server.port }
}

/** Kept as the vault of the settings. */
async function chosenFolder(invocation: Invocation, path: string): Promise<string> {
  const { surroundings } = invocation
  const given = resolve(surroundings.currentFolder, path.replace(/^~(?=$|[/\\])/, surroundings.home))
  const { root } = await findVault({ path: given, source: 'file' }, surroundings)
  await changeSetting(setupPlace(invocation), 'vault', root)
  return root
}

/** A copy that is the person's own to change; one that is there already is left as it is. */
async function copiedSample(to: string): Promise<string> {
  const places = ['../../examples/vault', '../examples/vault', '../../../../../examples/vault'].map((place) =>
    fileURLToPath(new URL(place, import.meta.url)),
  )
  const from = places.find(existsSync)
  if (from === undefined) throw new Failure('not-found', 'The sample vault is not part of this installation.')
  if (!existsSync(to)) await cp(from, to, { recursive: true })
  return to
}
