import { kernelBytes } from './kernel-bytes.js'

/** The inner loops of kernel.wat, over a memory of their own. All places are byte offsets into that memory. */
export interface Kernel {
  readonly buffer: ArrayBuffer
  scan(query: number, vectors: number, products: number, count: number, dimension: number): void
  multiply(
    start: number,
    columns: number,
    weights: number,
    source: number,
    target: number,
    from: number,
    to: number,
  ): void
  sumRows(rows: number, weights: number, used: number, vectors: number, sums: number, dimension: number): void
}

/**
 * A kernel with room for the parts of these sizes, and where each begins. undefined where the host has no WebAssembly,
 * no SIMD, or not the memory: then the plain loops do the same work.
 */
export function startKernel(sizes: readonly number[]): { kernel: Kernel; places: number[] } | undefined {
  if (module === 'untried') module = compile()
  if (host === undefined || module === 'missing') return undefined
  const places: number[] = []
  let end = 0
  for (const size of sizes) {
    places.push(end)
    end = Math.ceil((end + size) / 16) * 16
  }
  try {
    const memory = new host.Memory({ initial: Math.ceil(end / pageSize) || 1 })
    const { exports } = new host.Instance(module, { host: { memory } })
    // The memory never grows, so its buffer stays the same.
    return { kernel: { ...(exports as Omit<Kernel, 'buffer'>), buffer: memory.buffer }, places }
  } catch {
    return undefined
  }
}

const pageSize = 65_536

// Not every host has it, and the type packages of hosts disagree about it, so the few things used are named here.
const host = (globalThis as unknown as { WebAssembly?: WebAssemblyHost }).WebAssembly

interface WebAssemblyHost {
  Module: new (bytes: Uint8Array) => object
  Memory: new (limits: { initial: number }) => { readonly buffer: ArrayBuffer }
  Instance: new (module: object, imports: object) => { readonly exports: unknown }
}

let module: object | 'untried' | 'missing' = 'untried'

function compile(): object | 'missing' {
  if (host === undefined) return 'missing'
  try {
    return new host.Module(decodeBase64(kernelBytes))
  } catch {
    return 'missing'
  }
}

function decodeBase64(text: string): Uint8Array {
  const bytes = new Uint8Array(Math.floor((text.replaceAll('=', '').length * 3) / 4))
  let bits = 0
  let held = 0
  let at = 0
  for (let i = 0; at < bytes.length; i++) {
    bits = (bits << 6) | alphabet.indexOf(text[i])
    held += 6
    if (held < 8) continue
    held -= 8
    bytes[at++] = bits >> held
  }
  return bytes
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
