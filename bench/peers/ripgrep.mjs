import { spawnSync } from 'node:child_process'
import { relative } from 'node:path'

/** One process per query: ripgrep has nothing to keep warm. */
export function ripgrep(_folder, vault) {
  return {
    name: 'ripgrep',
    isWithoutIndex: true,
    build() {},
    open() {},
    query(text, limit) {
      const { stdout } = spawnSync('rg', ['-liF', '--', text, vault], { encoding: 'utf8', maxBuffer: 1 << 28 })
      return stdout
        .split('\n', limit)
        .filter(Boolean)
        .map((file) => relative(vault, file))
    },
    close() {},
  }
}

export function hasRipgrep() {
  return spawnSync('rg', ['--version']).status === 0
}
