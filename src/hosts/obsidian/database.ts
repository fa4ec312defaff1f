/** A database of the browser, as promises. */
export interface Database {
  /** One transaction that reads. */
  look<T>(stores: readonly string[], work: (store: Stores) => Promise<T>): Promise<T>
  /**
   * One transaction that writes: all of it is stored or, if `work` throws, nothing. Durable on return, except for a
   * cache.
   */
  change<T>(stores: readonly string[], work: (store: Stores) => Promise<T>): Promise<T>
  close(): void
}

/** The stores of a transaction by their names. */
export type Stores = (name: string) => IDBObjectStore

/** Names of stores; with a counter where rows have no key of their own. */
type Schema = Readonly<Record<string, IDBObjectStoreParameters>>

interface DatabaseOptions {
  /** It can be rebuilt: a new version starts empty, and a power cut may lose the latest writes. */
  isCache?: boolean
}

export async function openDatabase(
  name: string,
  version: number,
  schema: Schema,
  { isCache = false }: DatabaseOptions = {},
): Promise<Database> {
  const opening = indexedDB.open(name, version)
  opening.onupgradeneeded = () => {
    const there = opening.result.objectStoreNames
    if (isCache) for (const store of [...there]) opening.result.deleteObjectStore(store)
    for (const [store, keys] of Object.entries(schema)) {
      if (!there.contains(store)) opening.result.createObjectStore(store, keys)
    }
  }
  const database = await requestResult<IDBDatabase>(opening)
  // Another window wants to change the schema, or a user to delete it all.
  database.onversionchange = () => database.close()

  async function run<T>(
    stores: readonly string[],
    mode: IDBTransactionMode,
    work: (store: Stores) => Promise<T>,
  ): Promise<T> {
    const transaction = database.transaction([...stores], mode, {
      durability: mode === 'readonly' ? 'default' : isCache ? 'relaxed' : 'strict',
    })
    const ended = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve()
      transaction.onabort = () => reject(transaction.error ?? new Error('The database transaction was aborted.'))
    })
    // Its failure is thrown where it is awaited below; if the work fails first, that failure counts.
    ended.catch(() => undefined)
    let answer: T
    try {
      answer = await work((store) => transaction.objectStore(store))
    } catch (error) {
      if (mode === 'readwrite') abort(transaction)
      throw error
    }
    if (mode === 'readwrite') await ended
    return answer
  }

  return {
    look: (stores, work) => run(stores, 'readonly', work),
    change: (stores, work) => run(stores, 'readwrite', work),
    close: () => database.close(),
  }
}

function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort()
  } catch {
    // It has already ended.
  }
}

/** The cast is safe: a store's rows have the type its writers gave them. */
export function requestResult<T>(request: IDBRequest): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result as T)
    request.onerror = () => reject(request.error!)
  })
}
