import type { InputOptions, OutputChunk, OutputOptions } from 'rolldown'

interface BundleOptions extends InputOptions {
  source?: string
  root?: string
  packages?: 'external'
  strict?: boolean
}

export function bundle(options: BundleOptions & { output: OutputOptions }): Promise<OutputChunk[]>

export function pageScript(
  input: string,
  options?: { format?: 'iife' | 'esm'; alias?: Record<string, string>; define?: Record<string, string> },
): Promise<string>

export function pageStyle(file: string): string

export function loadBundle(options: {
  input?: string
  source?: string
  root?: string
}): Promise<Record<string, unknown>>

export function writePrograms(folder: string, input: Record<string, string>, options?: BundleOptions): Promise<void>
