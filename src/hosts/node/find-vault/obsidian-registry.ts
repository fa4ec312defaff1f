import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Surroundings } from '../state/index.js'

/** The vaults Obsidian knows, the one open now or opened last first. Empty when Obsidian is not there. */
export async function obsidianVaults(surroundings: Surroundings): Promise<string[]> {
  for (const file of registryFiles(surroundings)) {
    const text = await readFile(file, 'utf8').catch(() => undefined)
    const vaults = text === undefined ? [] : vaultsIn(text)
    if (vaults.length > 0) return vaults
  }
  return []
}

export function registryFiles({ environment, platform, home }: Surroundings): string[] {
  if (platform === 'darwin') return [join(home, 'Library/Application Support/obsidian/obsidian.json')]
  if (platform === 'win32')
    return [join(environment.APPDATA || join(home, 'AppData/Roaming'), 'obsidian/obsidian.json')]
  return [
    join(environment.XDG_CONFIG_HOME || join(home, '.config'), 'obsidian/obsidian.json'),
    join(home, '.var/app/md.obsidian.Obsidian/config/obsidian/obsidian.json'),
    join(home, 'snap/obsidian/current/.config/obsidian/obsidian.json'),
  ]
}

/** `{"vaults": {"<id>": {"path": "…", "ts": 1700000000000, "open": true}}}` */
function vaultsIn(text: string): string[] {
  let registry: unknown
  try {
    registry = JSON.parse(text)
  } catch {
    return []
  }
  const entries = Object.values((registry as { vaults?: Record<string, unknown> } | null)?.vaults ?? {}).filter(isEntry)
  const recency = (entry: RegistryEntry) => (entry.open === true ? Number.MAX_SAFE_INTEGER : (entry.ts ?? 0))
  return entries.sort((a, b) => recency(b) - recency(a)).map((entry) => entry.path)
}

interface RegistryEntry {
  path: string
  ts?: number
  open?: boolean
}

function isEntry(value: unknown): value is RegistryEntry {
  return typeof value === 'object' && value !== null && typeof (value as RegistryEntry).path === 'string'
}
