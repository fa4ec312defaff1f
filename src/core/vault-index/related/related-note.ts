import type { NotePath } from '../../vault/index.js'

export interface RelatedRequest {
  path: NotePath
  /** 10 unless told. */
  limit?: number
  /** Also the notes that it links to or that link to it. */
  includeLinked?: boolean
}

export interface RelatedNote {
  path: NotePath
  title: string
  /** What speaks for it, the strongest first. */
  reasons: string[]
  /** There is a link between the two already. */
  isLinked?: true
}

export interface RelatedAnswer {
  path: NotePath
  notes: RelatedNote[]
  /** Other notes that reasons name: what is told comes from them, too. */
  named: NotePath[]
}
