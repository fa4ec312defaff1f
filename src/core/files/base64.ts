/** Bytes as requests carry them. */
export function base64(bytes: Uint8Array): string {
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += pieceLength) {
    parts.push(btoa(String.fromCharCode(...bytes.subarray(at, at + pieceLength))))
  }
  return parts.join('')
}

/** Divisible by three, so that the pieces fit together. */
const pieceLength = 24_576
