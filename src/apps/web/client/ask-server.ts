import type { FailureData } from '../../../core/errors.js'

/** A request that the server refused, as the page draws it. */
export class RefusedError extends Error {
  constructor(
    readonly status: number,
    readonly failure: FailureData,
  ) {
    super(failure.text)
  }
}

export const getJson = <Answer>(path: string): Promise<Answer> => askJson<Answer>(path, {})

export const postJson = <Answer = unknown>(path: string, body: unknown = {}): Promise<Answer> =>
  askJson<Answer>(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })

async function askJson<Answer>(path: string, request: RequestInit): Promise<Answer> {
  return (await (await requestServer(path, request)).json().catch(() => undefined)) as Answer
}

/** A picture as a blob, since an `<img>` cannot send the credential. undefined: it is gone. */
export async function getPicture(path: string): Promise<Blob | undefined> {
  try {
    return await (await requestServer(path, {})).blob()
  } catch (error) {
    if (error instanceof RefusedError && error.status !== 0) return undefined
    throw error
  }
}

/** Every request of the page: with this browser's credential, refused with a failure that can be shown. */
export async function requestServer(path: string, request: RequestInit): Promise<Response> {
  const credential = storedCredential()
  const headers = new Headers(request.headers)
  if (credential !== undefined) headers.set('Authorization', `Bearer ${credential}`)
  let response: Response
  try {
    response = await fetch(`/api/${path}`, { ...request, headers, credentials: 'omit', cache: 'no-store' })
  } catch (error) {
    if (request.signal?.aborted) throw error
    throw new RefusedError(0, {
      code: 'network',
      text: 'The server of this page does not answer.',
      hint: 'Start it again in a terminal: notewright web',
    })
  }
  if (response.ok) return response
  if (response.status === 401) signOut(credential)
  throw new RefusedError(response.status, failureIn(await response.json().catch(() => undefined), response.status))
}

function failureIn(answer: unknown, status: number): FailureData {
  const { code, text, hint, data, error } = (answer ?? {}) as Partial<FailureData> & { error?: { message?: string } }
  if (code !== undefined && text !== undefined) return { code, text, ...(hint && { hint }), ...(data && { data }) }
  return { code: 'internal', text: error?.message ?? `The server answered with ${status}.` }
}

export function failureOf(error: unknown): FailureData {
  return error instanceof RefusedError ? error.failure : { code: 'internal', text: (error as Error).message }
}

/** Key in the storage of this origin. Pages on other ports cannot read it. */
const storageKey = 'notewright-login'

/** For a browser that stores nothing: it is signed in until the page is left. */
let unstored: string | undefined

function storedCredential(): string | undefined {
  try {
    return localStorage.getItem(storageKey) ?? unstored
  } catch {
    return unstored
  }
}

/** Exchanges the code of a link for this browser's credential. A browser that is signed in keeps the one it has. */
export async function signIn(code: string): Promise<void> {
  const { credential } = await postJson<{ credential?: string }>('login', { code })
  if (credential === undefined) return
  unstored = credential
  try {
    localStorage.setItem(storageKey, credential)
  } catch {
    // The browser stores nothing for this page: it stays signed in until it is closed.
  }
}

const signOutListeners = new Set<() => void>()

/** Calls back when the server no longer accepts this browser. */
export function onSignedOut(listener: () => void): void {
  signOutListeners.add(listener)
  // Another tab has been refused, and removed the credential of all.
  addEventListener('storage', ({ key, newValue }) => {
    if (key === storageKey && newValue === null) listener()
  })
}

/** Calls back when another tab has signed this browser in. */
export function onSignedInElsewhere(listener: () => void): void {
  addEventListener('storage', ({ key, newValue }) => {
    if (key === storageKey && newValue !== null) listener()
  })
}

function signOut(refused: string | undefined): void {
  // Another tab may have signed in meanwhile.
  if (storedCredential() !== refused) return
  unstored = undefined
  try {
    localStorage.removeItem(storageKey)
  } catch {
    // Without storage, the credential was only in `unstored`.
  }
  for (const listener of signOutListeners) listener()
}
