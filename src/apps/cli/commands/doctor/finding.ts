/** One line of the doctor's report. */
export interface Finding {
  /** What was looked at: "Node.js". */
  subject: string
  state: 'ok' | 'warn' | 'fail'
  text: string
  /** What to do about it. */
  advice?: string
}
