/** A single value of someone else's data, as it would be written on a line; nothing for a list, an object or no value. */
export function scalarText(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean' ? `${value}` : ''
}
