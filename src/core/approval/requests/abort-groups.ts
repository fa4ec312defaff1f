/** Members of each signal, told together when it aborts. One listener a signal: fifty calls of one step share theirs. */
export interface AbortGroups<Member> {
  join(signal: AbortSignal, member: Member): void
  leave(signal: AbortSignal, member: Member): void
  members(): Member[]
}

export function abortGroups<Member>(onAbort: (member: Member, reason: unknown) => void): AbortGroups<Member> {
  const groups = new Map<AbortSignal, { members: Set<Member>; stop: () => void }>()
  return {
    join(signal, member) {
      const known = groups.get(signal)
      if (known !== undefined) return void known.members.add(member)
      const members = new Set([member])
      const stop = () => {
        for (const each of [...members]) onAbort(each, signal.reason)
      }
      groups.set(signal, { members, stop })
      signal.addEventListener('abort', stop)
    },
    leave(signal, member) {
      const known = groups.get(signal)
      known?.members.delete(member)
      if (known === undefined || known.members.size > 0) return
      groups.delete(signal)
      signal.removeEventListener('abort', known.stop)
    },
    members: () => [...groups.values()].flatMap(({ members }) => [...members]),
  }
}
