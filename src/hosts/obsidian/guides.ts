import type { App } from 'obsidian'
import { Failure } from '../../core/errors.js'
import type { VaultHost } from '../../core/session/index.js'
import type { InstructionFolder } from '../../core/skills.js'
import { decodeRules } from '../../core/vault/index.js'

const mostBytes = 256 << 10

/** Instruction folders of the vault (dot folders). The user's own instructions are a setting here. */
export function vaultGuides({ vault: { adapter } }: App): NonNullable<VaultHost['guides']> {
  const guide = (kind: InstructionFolder['kind'], name: string): InstructionFolder => ({
    kind,
    from: 'vault',
    name,
    async list() {
      if ((await adapter.stat(name))?.type !== 'folder') return []
      const { files, folders } = await adapter.list(name)
      return [...files, ...folders].map((path) => path.slice(path.lastIndexOf('/') + 1)).sort()
    },
    async read(path) {
      const file = `${name}/${namesIn(path).join('/')}`
      const stat = await adapter.stat(file)
      if (stat?.type !== 'file') return undefined
      if (stat.size > mostBytes) throw wrong(`it has more than ${mostBytes} bytes`)
      const text = decodeRules(new Uint8Array(await adapter.readBinary(file)))
      if (text === undefined) throw wrong('it is neither UTF-8 nor UTF-16 text')
      return text
    },
  })
  return {
    folders: [
      guide('skills', '.agents/skills'),
      guide('skills', '.claude/skills'),
      guide('prompts', '.agents/prompts'),
      guide('prompts', '.claude/commands'),
    ],
    instructions: async () => undefined,
  }
}

/** Only names, one below the other. */
function namesIn(path: string): string[] {
  const names = path.split('/').filter((name) => name !== '')
  // eslint-disable-next-line no-control-regex -- control characters are what it looks for
  if (names.some((name) => name === '.' || name === '..' || /[\\\u0000-\u001f]/.test(name))) {
    throw wrong('its path points elsewhere')
  }
  return names
}

const wrong = (reason: string): Failure => new Failure('invalid-input', reason)
