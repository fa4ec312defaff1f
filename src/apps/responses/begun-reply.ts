import type { Told } from './reply/told.js'

/** What fails at all usually fails within this; a model at home may read for minutes before its first word. */
const patienceMs = 2000

/** The reply once it has begun, or has had time to. What failed before a word was told is thrown: it has a status of its own. */
export async function begunReply(told: AsyncGenerator<Told, void, void>): Promise<AsyncGenerator<Told, void, void>> {
  const first = told.next()
  let patience: NodeJS.Timeout | undefined
  const waited = new Promise<undefined>((resolve) => {
    patience = setTimeout(() => resolve(undefined), patienceMs)
  })
  const known = await Promise.race([first, waited]).finally(() => clearTimeout(patience))
  if (known?.value?.type === 'failed') throw known.value.failure
  return resumed(first, told)
}

async function* resumed(
  first: Promise<IteratorResult<Told, void>>,
  rest: AsyncGenerator<Told, void, void>,
): AsyncGenerator<Told, void, void> {
  try {
    const { done, value } = await first
    if (done || value === undefined) return
    yield value
    yield* rest
  } finally {
    await rest.return()
  }
}
