import { readFileSync } from 'node:fs'

const askForBinary = /require\(`@libsql\/\$\{target\}`\)/

/**
 * An esbuild plugin that bundles libsql with what loads it, so that the code cache holds it too: looking for its ten
 * files and compiling them takes longer than opening a database. Only the binary stays where it was installed.
 */
export const ownLibsql = {
  name: 'own-libsql',
  setup({ onResolve, onLoad }) {
    onLoad({ filter: /sqlite-store[\\/]load-libsql\.ts$/ }, () => ({
      contents: "export const loadLibsql = () => require('libsql')",
    }))
    onLoad({ filter: /node_modules[\\/]libsql[\\/]index\.js$/ }, ({ path }) => {
      const code = readFileSync(path, 'utf8')
      if (!askForBinary.test(code)) throw new Error('libsql asks for its binary in another way now')
      return { contents: code.replace(askForBinary, "require('libsql-binary').binaryFor(target)") }
    })
    onResolve({ filter: /^libsql-binary$/ }, ({ path }) => ({ path, namespace: 'own-libsql' }))
    onLoad({ filter: /./, namespace: 'own-libsql' }, () => ({ contents: findBinary }))
  },
}

/** It is a package of libsql, not of ours: some package managers show it to libsql alone. */
const findBinary = `
  import { createRequire } from 'node:module'
  const require = createRequire(import.meta.url)
  export function binaryFor(target) {
    const name = '@libsql/' + target
    try {
      return require(name)
    } catch (error) {
      if (error.code !== 'MODULE_NOT_FOUND') throw error
      return createRequire(require.resolve('libsql'))(name)
    }
  }
`
