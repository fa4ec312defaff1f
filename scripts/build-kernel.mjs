// Turns src/core/vault-index/semantic/kernel.wat into kernel-bytes.ts. Needed only after the .wat has changed:
//   npx --package=wabt node scripts/build-kernel.mjs
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../src/core/vault-index/semantic/', import.meta.url))
const source = join(folder, 'kernel.wat')
const work = mkdtempSync(join(tmpdir(), 'kernel-'))
try {
  const target = join(work, 'kernel.wasm')
  execFileSync('wat2wasm', [source, '-o', target], { stdio: 'inherit' })
  const bytes = readFileSync(target)
  const lines = bytes.toString('base64').match(/.{1,100}/g)
  const text = `// Made by scripts/build-kernel.mjs from kernel.wat; do not edit.

/** SHA-256 of the kernel.wat these bytes were made from. */
export const kernelSource = '${createHash('sha256').update(readFileSync(source)).digest('hex')}'

/** The WebAssembly module, in base64. */
export const kernelBytes =
${lines.map((line) => `  '${line}'`).join(' +\n')}
`
  writeFileSync(join(folder, 'kernel-bytes.ts'), text)
  console.log(`kernel-bytes.ts: ${bytes.length} bytes of WebAssembly`)
} finally {
  rmSync(work, { recursive: true })
}
