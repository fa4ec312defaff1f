export type { IndexReport, Notebook, NotebookStatus, UpdateOptions } from './notebook.js'
export { type NotebookSetup, openNotebook } from './open-notebook.js'
export type { RunStages } from './open-parts.js'
export { unsettledSentence } from './unsettled.js'
