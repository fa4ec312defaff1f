import { chmod, mkdir, stat } from 'node:fs/promises'

/** Makes the folder, and those above it that are missing, for its owner's eyes only. Answers the path. */
export async function privateFolder(path: string): Promise<string> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  const { mode } = await stat(path)
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) await chmod(path, 0o700)
  return path
}
