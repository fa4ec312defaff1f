/**
 * Whether Obsidian is set to leave a file out of search, by the `userIgnoreFilters` of its `app.json`: each the beginning
 * of a path, or an expression between slashes. What cannot be read as one excludes nothing.
 */
export function excludedInObsidian(appJson: string): (path: string) => boolean {
  const tests = filtersIn(appJson).flatMap(testOf)
  return (path) => tests.some((test) => test(path))
}

function filtersIn(appJson: string): string[] {
  try {
    const { userIgnoreFilters: filters } = JSON.parse(appJson.replace(/^\uFEFF/, '')) as { userIgnoreFilters?: unknown }
    return Array.isArray(filters) ? filters.filter((one): one is string => typeof one === 'string' && one !== '') : []
  } catch {
    return []
  }
}

function testOf(filter: string): ((path: string) => boolean)[] {
  if (!/^\/.+\/$/s.test(filter)) {
    const start = filter.toLowerCase()
    return [(path) => path.toLowerCase().startsWith(start)]
  }
  try {
    const expression = new RegExp(filter.slice(1, -1), 'i')
    return [(path) => expression.test(path)]
  } catch {
    return []
  }
}
