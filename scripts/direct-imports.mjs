import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/**
 * An esbuild plugin that imports from the file behind a room's door instead of from the door. Code is split by files,
 * and a door leads to every file of its room: through it, whoever needs one function would load all of them.
 */
export const directImports = {
  name: 'direct-imports',
  setup(build) {
    build.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => ({ contents: directed(path), loader: 'ts' }))
  },
}

const throughDoor = /^import\s*\{([^{}]*)\}\s*from\s*'(\.[^']*\/index\.js)'\n/gm

function directed(file) {
  return readFileSync(file, 'utf8').replace(throughDoor, (statement, names, door) => {
    const lines = []
    for (const [imported, local] of specifiers(names)) {
      const home = homeOf(sourceOf(file, door), imported)
      if (home === undefined) return statement
      const path = relative(dirname(file), home.file).replaceAll('\\', '/')
      lines.push(`import { ${home.name} as ${local} } from '${path.startsWith('.') ? path : `./${path}`}'`)
    }
    // On one line, so that lines in error messages stay what they are.
    return `${lines.join(';')};${'\n'.repeat(statement.split('\n').length - 1)}`
  })
}

/** The file in which what a door exports is written, and its name there; undefined when it cannot be told. */
function homeOf(door, name) {
  const text = readFileSync(door, 'utf8')
  for (const [, names, from] of text.matchAll(/^export\s*\{([^{}]*)\}\s*from\s*'(\.[^']*)'/gm)) {
    const found = specifiers(names).find(([, exported]) => exported === name)
    if (found === undefined) continue
    const file = sourceOf(door, from)
    return from.endsWith('/index.js') ? homeOf(file, found[0]) : { file, name: found[0] }
  }
  for (const [, from] of text.matchAll(/^export\s*\*\s*from\s*'(\.[^']*)'/gm)) {
    const file = sourceOf(door, from)
    if (from.endsWith('/index.js')) {
      const home = homeOf(file, name)
      if (home !== undefined) return home
    } else if (isWrittenIn(file, name)) return { file, name }
  }
  return isWrittenIn(door, name) ? { file: door, name } : undefined
}

/** `[name there, name here]` of everything but types. */
function specifiers(names) {
  return names
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '' && !part.startsWith('type '))
    .map((part) => part.split(/\s+as\s+/))
    .map(([there, here = there]) => [there, here])
}

function isWrittenIn(file, name) {
  return new RegExp(`^export (?:async )?(?:function\\*?|const|let|class|enum) ${name}\\b`, 'm').test(
    readFileSync(file, 'utf8'),
  )
}

function sourceOf(importer, specifier) {
  const file = join(dirname(importer), specifier).replace(/\.js$/, '.ts')
  return existsSync(file) ? file : file.replace(/\.ts$/, '.tsx')
}
