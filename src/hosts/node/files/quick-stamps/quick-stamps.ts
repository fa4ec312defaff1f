import type { FileKind, StampedItem } from '../file-access.js'
import { stampsBytes } from './stamps-bytes.js'

/**
 * The items of a folder with their stamps, in half the time: asked one by one, Node makes an object with four dates of
 * each. undefined where this way is not open, or does not lead to the end; then `lstat` does the same. Stamps are looked
 * up by path, which another program may have led elsewhere.
 */
export function quickStamps(path: string): StampedItem[] | undefined {
  if (kernel === 'untried') kernel = startKernel()
  return kernel === 'missing' || path.length > longestPath ? undefined : itemsOf(kernel, path)
}

// As laid out in stamps.wat.
const pathPlace = 1024
const rowPlace = 65_536
const rowBytes = 40
const room = 1 << 20
const kinds: Record<number, FileKind> = { 3: 'folder', 4: 'file', 7: 'link' }

const longestPath = 4096

interface Kernel {
  bytes: Buffer
  words: Int32Array
  floats: Float64Array
  open(pathLength: number): number
  look(folder: number): number
  close(folder: number): void
}

// Named here, as the types of Node leave it to those of a browser.
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: {
    Module: new (bytes: Uint8Array) => object
    Instance: new (
      module: object,
      imports: object,
    ) => { exports: Pick<Kernel, 'open' | 'look' | 'close'> & { memory: { buffer: ArrayBuffer } } }
  }
}

let kernel: Kernel | 'untried' | 'missing' = 'untried'

function itemsOf(kernel: Kernel, path: string): StampedItem[] | undefined {
  const { bytes, words } = kernel
  // From the root of the disk, which is the one folder that was handed over.
  const folder = kernel.open(bytes.write(path.slice(1) || '.', pathPlace))
  if (folder < 0) return undefined
  try {
    const items: StampedItem[] = []
    do {
      const rows = kernel.look(folder)
      if (rows < 0 || !readRows(kernel, rows, items)) return undefined
    } while (words[0] === room)
    return items
  } finally {
    kernel.close(folder)
  }
}

/** False when a name is not valid Unicode: what that stands for is for Node to say. */
function readRows({ bytes, words, floats }: Kernel, rows: number, items: StampedItem[]): boolean {
  for (let row = 0; row < rows; row++) {
    const place = rowPlace + row * rowBytes
    const float = place >> 3
    const word = (place >> 2) + 6
    const type = words[word + 2]
    if (type === 0) continue
    const from = words[word]
    const isAscii = words[word + 3] === 1
    const name = bytes.toString(isAscii ? 'latin1' : 'utf8', from, from + words[word + 1])
    if (!isAscii && name.includes('\uFFFD')) return false
    items.push({
      name,
      kind: kinds[type] ?? 'other',
      size: floats[float],
      mtimeMs: floats[float + 1],
      ctimeMs: floats[float + 2],
    })
  }
  return true
}

/** Measured on Linux alone, so used there alone. */
function startKernel(): Kernel | 'missing' {
  if (process.platform !== 'linux') return 'missing'
  const { emitWarning } = process
  try {
    // Node warns that its WASI may change. What is used here is the first preview, which is finished.
    process.emitWarning = () => {}
    const wasi = new (process.getBuiltinModule('node:wasi').WASI)({ version: 'preview1', preopens: { '/': '/' } })
    const module = new WebAssembly.Module(Buffer.from(stampsBytes, 'base64'))
    const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: wasi.wasiImport })
    wasi.initialize(instance)
    const { memory, ...functions } = instance.exports
    // The memory never grows, so its buffer stays the same.
    const { buffer } = memory
    return {
      ...functions,
      bytes: Buffer.from(buffer),
      words: new Int32Array(buffer),
      floats: new Float64Array(buffer),
    }
  } catch {
    return 'missing'
  } finally {
    process.emitWarning = emitWarning
  }
}
