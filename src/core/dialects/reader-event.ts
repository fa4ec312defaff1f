/** A value as JSON has it. */
export type JsonObject = Record<string, unknown>

export type CallErrorKind = 'malformed' | 'unknown-tool'

/** What a reply turns out to say, in order, each as soon as it is certain. */
export type ReaderEvent =
  | { type: 'text'; text: string }
  | { type: 'reasoning-start' }
  | { type: 'reasoning'; text: string }
  | { type: 'reasoning-end' }
  /** A closing think tag came without an opening one: all text since the start was reasoning. Nothing was called yet. */
  | { type: 'text-was-reasoning' }
  /** A declared tool is being called; `call` or `error` with the same index follows. */
  | { type: 'call-start'; index: number; name: string }
  | { type: 'call'; index: number; name: string; arguments: JsonObject }
  /** Something meant as a call that cannot run. To be told to the model, not shown. */
  | { type: 'error'; index: number; kind: CallErrorKind; name?: string; message: string }
  /** Text after a call that was left out, as the options ask. */
  | { type: 'text-cut'; characters: number }
