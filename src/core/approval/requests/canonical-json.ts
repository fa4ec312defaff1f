/** One text for one value, whatever the order of its keys: what a hash can be taken of. */
export function canonicalJson(value: unknown): string {
  return (
    JSON.stringify(value, (_key, member: unknown) => {
      if (typeof member !== 'object' || member === null || Array.isArray(member)) return member
      const sorted = Object.create(null) as Record<string, unknown>
      for (const key of Object.keys(member).sort()) sorted[key] = (member as Record<string, unknown>)[key]
      return sorted
    }) ?? 'null'
  )
}
