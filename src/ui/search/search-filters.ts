/** A filter of the search, shown as a chip. */
export type SearchFilter =
  | { kind: 'tag'; value: string }
  | { kind: 'folder'; value: string }
  /** `status: done`. */
  | { kind: 'property'; value: string }
  | { kind: 'date'; value: string; after?: string; before?: string }

export type FilterKind = SearchFilter['kind']

export const filterNames: Record<FilterKind, string> = {
  folder: 'Folder',
  tag: 'Tag',
  property: 'Property',
  date: 'Date',
}

/** A filter as its chip says it. */
export function filterWords(filter: SearchFilter): string {
  switch (filter.kind) {
    case 'tag':
      return `#${filter.value}`
    case 'folder':
      return `In ${filter.value}`
    case 'property':
      return filter.value
    case 'date':
      return `Changed ${filter.value}`
    default:
      return filter satisfies never
  }
}

/** The filter from what was typed or chosen; undefined while it is not complete. */
export function filterFrom(kind: Exclude<FilterKind, 'date'>, text: string): SearchFilter | undefined {
  const value = text.trim()
  if (kind === 'tag') return value.replace(/^#+/, '') === '' ? undefined : { kind, value: value.replace(/^#+/, '') }
  if (kind === 'folder') return value === '' ? undefined : { kind, value: value.replace(/^\/+|\/+$/g, '') }
  const [, name, wanted] = /^([^:=]+?)\s*[:=]\s*(\S.*)$/.exec(value) ?? []
  return name === undefined ? undefined : { kind, value: `${name}: ${wanted}` }
}

/** Several tags and properties count together; there is one folder and one range of dates. */
export function withFilter(filters: readonly SearchFilter[], added: SearchFilter): SearchFilter[] {
  const isSame = (one: SearchFilter) =>
    one.kind === added.kind &&
    (added.kind === 'folder' || added.kind === 'date' || one.value.toLowerCase() === added.value.toLowerCase())
  return [...filters.filter((one) => !isSame(one)), added]
}

/** Filters in the format of the index. */
export function filterRequest(filters: readonly SearchFilter[]) {
  const tags = filters.flatMap(({ kind, value }) => (kind === 'tag' ? [value] : []))
  const folder = filters.find(({ kind }) => kind === 'folder')?.value
  const properties = filters.flatMap(({ kind, value }): [string, string][] => {
    const [, name, wanted] = (kind === 'property' && /^([^:]+): (.*)$/.exec(value)) || []
    return name === undefined ? [] : [[name, wanted ?? '']]
  })
  const date = filters.find((one) => one.kind === 'date')
  return {
    ...(tags.length > 0 && { tags }),
    ...(folder !== undefined && { folder }),
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
    ...(date?.after !== undefined && { after: date.after }),
    ...(date?.before !== undefined && { before: date.before }),
  }
}

/** Ranges that can be chosen, from today. */
export function dateChoices(today: Date): SearchFilter[] {
  const daysAgo = (days: number) => isoDate(new Date(today.getFullYear(), today.getMonth(), today.getDate() - days))
  return [
    { kind: 'date', value: 'today', after: daysAgo(0) },
    { kind: 'date', value: 'in the last 7 days', after: daysAgo(6) },
    { kind: 'date', value: 'in the last 30 days', after: daysAgo(29) },
    { kind: 'date', value: 'this year', after: `${today.getFullYear()}-01-01` },
  ]
}

/** A range with one or both ends, as ISO dates. */
export function dateRange(after: string, before: string): SearchFilter | undefined {
  if (after === '' && before === '') return undefined
  const value = [after && `from ${after}`, before && `until ${before}`].filter(Boolean).join(' ')
  return { kind: 'date', value, ...(after && { after }), ...(before && { before }) }
}

const isoDate = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => `${part}`.padStart(2, '0')).join('-')
