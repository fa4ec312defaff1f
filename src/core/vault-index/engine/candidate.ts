/** A note under consideration. */
export interface Candidate {
  /** Position of its segment in the engine, and its position there. */
  at: number
  note: number
  id: number
  /** The parts of the note's score that its surface words and word pieces gave. */
  surface: number
  subword: number
}
