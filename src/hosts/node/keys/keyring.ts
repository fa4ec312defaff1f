/** The system's own place for secrets. Every answer may be "not here": then a file is used. */
export interface Keyring {
  read(provider: string): Promise<string | undefined>
  /** False when the system has no such place, or it is locked. */
  write(provider: string, key: string): Promise<boolean>
  remove(provider: string): Promise<boolean>
}

interface KeyringPackage {
  AsyncEntry: new (
    service: string,
    account: string,
  ) => {
    getPassword(): Promise<string | null | undefined>
    setPassword(password: string): Promise<void>
    deletePassword(): Promise<unknown>
  }
}

const service = 'notewright'
/** A locked keyring may wait for a person who sits at another screen. */
const patienceMs = 2000

/** Through @napi-rs/keyring; undefined where it has no binary for this system. */
export async function systemKeyring(): Promise<Keyring | undefined> {
  // Named in a variable so that it stays optional for the bundler too.
  const name = '@napi-rs/keyring'
  try {
    const { AsyncEntry } = (await import(name)) as KeyringPackage
    return typeof AsyncEntry === 'function' ? throughPackage(AsyncEntry) : undefined
  } catch {
    return undefined
  }
}

function throughPackage(Entry: KeyringPackage['AsyncEntry']): Keyring {
  return {
    read: (provider) => orElse(undefined, async () => (await new Entry(service, provider).getPassword()) ?? undefined),
    write: (provider, key) =>
      orElse(false, async () => {
        await new Entry(service, provider).setPassword(key)
        return true
      }),
    remove: (provider) =>
      orElse(false, async () => {
        const entry = new Entry(service, provider)
        if (!(await entry.getPassword())) return false
        await entry.deletePassword()
        return true
      }),
  }
}

async function orElse<T>(otherwise: T, act: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), patienceMs)
  })
  try {
    return await Promise.race([act().catch(() => otherwise), late])
  } finally {
    clearTimeout(timer)
  }
}
