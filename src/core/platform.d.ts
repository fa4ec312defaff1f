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

declare class URL {
  constructor(url: string, base?: string)
  static canParse(url: string, base?: string): boolean
  readonly href: string
  readonly origin: string
  readonly protocol: string
  readonly username: string
  readonly password: string
  readonly host: string
  readonly hostname: string
  readonly port: string
  pathname: string
  search: string
  hash: string
  readonly searchParams: URLSearchParams
}

declare class URLSearchParams {
  get(name: string): string | null
  has(name: string): boolean
  set(name: string, value: string): void
  delete(name: string): void
}

declare function setTimeout(callback: () => void, ms?: number): unknown
declare function clearTimeout(timer: unknown): void
declare function atob(base64: string): string
declare function btoa(bytes: string): string
declare const performance: { now(): number }
declare const crypto: {
  getRandomValues<T extends ArrayBufferView>(array: T): T
  randomUUID(): string
  subtle: { digest(algorithm: 'SHA-256', data: Uint8Array): Promise<ArrayBuffer> }
}

interface ReadableStreamDefaultReader<T> {
  read(): Promise<{ done: false; value: T } | { done: true; value?: undefined }>
  cancel(reason?: unknown): Promise<void>
  releaseLock(): void
}

interface ReadableStreamDefaultController<T> {
  enqueue(chunk: T): void
  close(): void
  error(reason?: unknown): void
}

declare class ReadableStream<T> {
  constructor(source?: {
    start?(controller: ReadableStreamDefaultController<T>): void | Promise<void>
    pull?(controller: ReadableStreamDefaultController<T>): void | Promise<void>
    cancel?(reason?: unknown): void | Promise<void>
  })
  getReader(): ReadableStreamDefaultReader<T>
  cancel(reason?: unknown): Promise<void>
}

interface Headers {
  get(name: string): string | null
}

declare class Response {
  constructor(
    body?: ReadableStream<Uint8Array> | string | null,
    init?: { status?: number; statusText?: string; headers?: Headers | Record<string, string> },
  )
  readonly ok: boolean
  readonly status: number
  readonly statusText: string
  readonly headers: Headers
  readonly body: ReadableStream<Uint8Array> | null
  text(): Promise<string>
}

interface RequestInit {
  method?: string
  headers?: Record<string, string>
  body?: string
  redirect?: 'follow' | 'error' | 'manual'
  signal?: AbortSignal
}

declare function fetch(url: string | URL, init?: RequestInit): Promise<Response>

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
