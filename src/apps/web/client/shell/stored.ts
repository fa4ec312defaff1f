/** Something this browser keeps. A browser that stores nothing keeps it until the page is left. */
const unstored = new Map<string, string>()

export function readStored(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? unstored.get(key)
  } catch {
    return unstored.get(key)
  }
}

/** Without a text it is removed. */
export function store(key: string, text: string | undefined): void {
  if (text === undefined) unstored.delete(key)
  else unstored.set(key, text)
  try {
    if (text === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, text)
    unstored.delete(key)
  } catch {
    // The browser stores nothing for this page: the value is kept until it is closed.
  }
}
