/** A value as JSON has it. */
export type JsonObject = Record<string, unknown>

/** What a reply turns out to say, in order, each as soon as it is certain. */
export type ReaderEvent =
  | { type: 'text'; text: string }
  | { type: 'reasoning-start' }
  | { type: 'reasoning'; text: string }
  | { type: 'reasoning-end' }
  /** A closing think tag came without an opening one: all text since the start was reasoning. Nothing was called yet. */
  | { type: 'text-was-reasoning' }
  | CallRead
  /** Something meant as a call that cannot run. To be told to the model, not shown. */
  | { type: 'error'; kind: 'malformed'; name?: string; message: string }
  /** A call of a tool nobody has declared, whole. */
  | (Omit<CallRead, 'type'> & { type: 'error'; kind: 'unknown-tool'; message: string })

export interface CallRead {
  type: 'call'
  name: string
  arguments: JsonObject
  /** The arguments as they were written, where that was as one JSON value; it may hold what JSON does not allow. */
  text?: string
  /** What the model itself calls this call. */
  id?: string
}
