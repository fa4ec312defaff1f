import type { FailureData } from '../../../core/errors.js'

/** What the server refused, as the page draws it. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly failure: FailureData,
  ) {
    super(failure.text)
  }
}

export const getJson = <Answer>(path: string): Promise<Answer> => ask<Answer>(path, {})

export const postJson = <Answer = unknown>(path: string, body: unknown = {}): Promise<Answer> =>
  ask<Answer>(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })

async function ask<Answer>(path: string, request: RequestInit): Promise<Answer> {
  let response: Response
  try {
    response = await fetch(`/api/${path}`, request)
  } catch {
    throw new Refused(0, {
      code: 'network',
      text: 'The server of this page does not answer.',
      hint: 'Start it again in a terminal: notewright web',
    })
  }
  const answer = await response.json().catch(() => undefined)
  if (!response.ok) throw new Refused(response.status, failureIn(answer, response.status))
  return answer as Answer
}

function failureIn(answer: unknown, status: number): FailureData {
  const { code, text, hint, data, error } = (answer ?? {}) as Partial<FailureData> & { error?: { message?: string } }
  if (code !== undefined && text !== undefined) return { code, text, ...(hint && { hint }), ...(data && { data }) }
  return { code: 'internal', text: error?.message ?? `The server answered with ${status}.` }
}

export function failureOf(error: unknown): FailureData {
  return error instanceof Refused ? error.failure : { code: 'internal', text: (error as Error).message }
}
