import { kernelBytes } from './kernel-bytes.js'

/** The inner loops of kernel.wat over their own memory. All positions are byte offsets into it. */
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
 * Starts a kernel with memory for parts of these sizes, and returns where each begins. undefined without WebAssembly,
 * SIMD or enough memory: then plain loops do the work.
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
    // The memory never grows, so its buffer stays valid.
    return { kernel: { ...(exports as Omit<Kernel, 'buffer'>), buffer: memory.buffer }, places }
  } catch {
    // Not enough memory.
    return undefined
  }
}

const pageSize = 65_536

// Declared here because hosts disagree about the types of WebAssembly, and some have none.
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
    // No SIMD, or a policy forbids compiling.
    return 'missing'
  }
}

function decodeBase64(text: string): Uint8Array {
  const bytes = new Uint8Array(Math.floor((text.replaceAll('=', '').length * 3) / 4))
  let bits = 0
  let held = 0
  let at = 0
  for (let i = 0; at < bytes.length; i++) {
    bits = (bits << 6) | alphabet.indexOf(text.charAt(i))
    held += 6
    if (held < 8) continue
    held -= 8
    bytes[at++] = bits >> held
  }
  return bytes
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
