/** Ways to interrupt a change. */
export interface CutOff {
  /** After how many calls that change the disk nothing works any more. */
  after: number
  /** The last of them is a write that is cut in the middle. */
  torn?: boolean
  /** Somebody writes to this note before the next start. */
  meanwhile?: string
}

/** The state after the next start. */
export interface Outcome {
  notes: Record<string, string>
  states: string[]
  unsettled: string[]
  /** Whether the change was complete before the interruption. */
  isDone: boolean
}
