// Turns each .wat of the sources into a -bytes.ts beside it. Needed only after one has changed:
//   npx --package=wabt node scripts/build-kernel.mjs
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const repository = fileURLToPath(new URL('..', import.meta.url))
const work = mkdtempSync(join(tmpdir(), 'kernel-'))
try {
  turn('src/core/index/semantic/kernel')
} finally {
  rmSync(work, { recursive: true })
}

function turn(path) {
  const name = basename(path)
  const source = join(repository, `${path}.wat`)
  const target = join(work, `${name}.wasm`)
  execFileSync('wat2wasm', [source, '-o', target], { stdio: 'inherit' })
  const bytes = readFileSync(target)
  const lines = bytes.toString('base64').match(/.{1,100}/g)
  const text = `// Made by scripts/build-kernel.mjs from ${name}.wat; do not edit.

/** SHA-256 of the ${name}.wat these bytes were made from. */
export const ${name}Source = '${createHash('sha256').update(readFileSync(source)).digest('hex')}'

/** The WebAssembly module, in base64. */
export const ${name}Bytes =
${lines.map((line) => `  '${line}'`).join(' +\n')}
`
  writeFileSync(join(repository, `${path}-bytes.ts`), text)
  console.log(`${path}-bytes.ts: ${bytes.length} bytes of WebAssembly`)
}
