import type { FileStamp, Vault } from '../vault/index.js'

const momentMs = 20

/** All files of a vault; undefined when listing them takes longer than a moment, for then there are many. */
export async function listQuickly(
  vault: Pick<Vault, 'eachFile'>,
  signal: AbortSignal | undefined,
): Promise<FileStamp[] | undefined> {
  const enough = new AbortController()
  const stop = () => enough.abort(signal?.reason)
  signal?.addEventListener('abort', stop, { once: true })
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), momentMs)
  })
  const files: FileStamp[] = []
  const listing = vault.eachFile((file) => files.push(file), enough.signal).then(() => files)
  listing.catch(() => undefined)
  try {
    return await Promise.race([listing, late])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
    enough.abort()
  }
}
