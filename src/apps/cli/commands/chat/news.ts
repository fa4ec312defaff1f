/** What comes up while the person writes: lines above the prompt, and reasons to draw it anew. */
export interface News {
  /** Shown above the prompt, now or as soon as there is one. */
  tell(line: string): void
  /** What the prompt says of itself has changed. */
  changed(): void
  /** The prompt that is open. Returns how to stop. */
  follow(show: (line?: string) => void): () => void
}

export function news(): News {
  let waiting: string[] = []
  let show: ((line?: string) => void) | undefined
  return {
    tell(line) {
      if (show === undefined) waiting.push(line)
      else show(line)
    },
    changed: () => show?.(),
    follow(given) {
      show = given
      for (const line of waiting) given(line)
      waiting = []
      return () => {
        show = undefined
      }
    },
  }
}
