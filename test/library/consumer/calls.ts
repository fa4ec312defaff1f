import {
  type Answer,
  type Approval,
  type ApprovalRequest,
  type Conversation,
  Failure,
  type FailureCode,
  type Note,
  type NotePath,
  openVault,
  type SearchAnswer,
} from 'notewright'

await using vault = await openVault('.', { model: process.env.MODEL, onTrouble: undefined })
const stop = new AbortController()

const answer: Answer = await vault.ask('What feeds the soil?', { model: process.env.MODEL, signal: stop.signal })
export const text: string = answer.text
export const sources: NotePath[] = answer.sources
export const tokens: number | undefined = answer.usage.output
export const ids: string[] = answer.changes.map(({ id }) => id)
export const refusal: 'denied' | 'needs-approval' | undefined = answer.refused?.code

for await (const event of vault.ask('What feeds the soil?', { note: undefined })) {
  if (event.type === 'text-delta') process.stdout.write(event.text)
  // @ts-expect-error There is no such event.
  if (event.type === 'nonsense') break
}

const approve = async ({ changes = [] }: ApprovalRequest): Promise<Approval> =>
  changes.length < 2 || { verdict: 'deny', words: 'One note at a time.' }
const session: Conversation = await vault.session({ id: 'garden', approve, consent: 'ask' })
const answers: Answer[] = await Promise.all([session.ask('One'), session.ask('Two').catch(() => answer)])
await session.close()

export const found: SearchAnswer = await vault.search('soil', { limit: undefined, tags: ['garden'] })
export const lines: [number, number] | undefined = found.hits[0]?.lines
// @ts-expect-error A query is a text.
await vault.search(1)
// @ts-expect-error There is no such option.
await vault.ask('What feeds the soil?', { nonsense: true })

try {
  const note: Note = await vault.read('Soil')
  console.log(note.text, note.properties.status, answers.length)
} catch (error) {
  if (!(error instanceof Failure)) throw error
  const code: FailureCode = error.code
  console.error(code, error.message, error.hint)
}
