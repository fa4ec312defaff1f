const prime = 0x01000193

/** Continues the hash of a name with the hash of its next word. */
export function hashName(soFar: number, wordHash: number): number {
  return Math.imul((soFar ^ (soFar >>> 13)) + wordHash, prime)
}

export const emptyName = 0x2545f491

/** The file name without folders and extension, as a note is called by its links. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '')
}

export function folderNames(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}
