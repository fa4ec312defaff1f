/**
 * The globals that every host has (Node, a browser, Obsidian on a phone), and nothing more.
 * The core is compiled with this file instead of Node's or the DOM's types.
 */

interface AbortSignal {
  readonly aborted: boolean
  readonly reason: unknown
  throwIfAborted(): void
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void
  removeEventListener(type: 'abort', listener: () => void): void
}

declare class AbortController {
  readonly signal: AbortSignal
  abort(reason?: unknown): void
}

declare class TextEncoder {
  encode(text?: string): Uint8Array<ArrayBuffer>
  encodeInto(text: string, target: Uint8Array): { read: number; written: number }
}

declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean })
  decode(bytes?: ArrayBufferView | ArrayBuffer, options?: { stream?: boolean }): string
}

declare function setTimeout(callback: () => void, ms?: number): unknown
declare function clearTimeout(timer: unknown): void
declare const performance: { now(): number }
declare const crypto: { getRandomValues<T extends ArrayBufferView>(array: T): T; randomUUID(): string }

declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array)
  }
  class Memory {
    constructor(limits: { initial: number; maximum?: number })
    readonly buffer: ArrayBuffer
    grow(pages: number): number
  }
  class Instance {
    constructor(module: Module, imports?: Record<string, Record<string, unknown>>)
    readonly exports: Record<string, unknown>
  }
}
