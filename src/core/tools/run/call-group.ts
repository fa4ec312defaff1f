/** The calls of one reply. Those that need approval are shown to the user as one request. */
export interface CallGroup {
  /** True once it is known of every call whether it needs approval. */
  isComplete(): boolean
  whenComplete(run: () => void): void
}

/** One call of a group. `enter` and `leave` count once. */
export interface GroupMember {
  readonly group: CallGroup
  /** The call needs approval and waits for it. */
  enter(): void
  /** The call needs no approval, or cannot be planned yet. */
  leave(): void
}

/** Creates the group of a reply. Each call joins with the function that hears that it waits for approval. */
export function callGroup(calls: number): (onAsked: () => void) => GroupMember {
  let unknown = calls
  const listeners: (() => void)[] = []
  const group: CallGroup = {
    isComplete: () => unknown <= 0,
    whenComplete: (run) => void listeners.push(run),
  }
  return (onAsked) => {
    let isKnown = false
    const settle = () => {
      if (isKnown) return
      isKnown = true
      unknown--
      if (unknown === 0) for (const run of listeners.splice(0)) run()
    }
    return {
      group,
      enter() {
        if (!isKnown) onAsked()
        settle()
      },
      leave: settle,
    }
  }
}
