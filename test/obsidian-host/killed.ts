/** When a page dies. */
export interface Moments {
  after: number
  /** A write is the last thing it does, and only half of it. */
  torn: boolean
  /** Calls to the disk that count, `database` for a transaction that writes, and `worker` for what the index worker writes. */
  counted: readonly string[]
}

export type Step =
  | { kind: 'edit'; path: string; before: string; after: string }
  | { kind: 'append'; path: string; before?: undefined; added: string }
  | { kind: 'create'; path: string; before?: undefined; after: string }
  | { kind: 'move'; path: string; before: string; to: string }
  | { kind: 'trash'; path: string; before: string }

/** Work to interrupt: a first index, then a change set. */
export interface Work {
  title: string
  steps: readonly Step[]
  anew: boolean
}

/** The report of the next start. */
export interface Found {
  states: { title: string; state: string; unsettled?: { went: string; notes: readonly string[] } }[]
  notes: string[]
  links: string[]
  /** By word: notes, and how well each fits. */
  hits: Record<string, [path: string, score: number][]>
  notices: string[]
}
