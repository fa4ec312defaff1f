import { percentile } from '../statistics.mjs'

/** From a key to what it found on the screen, against the same search in this process. */
export async function measureTyping({ page }, vault, queries) {
  const { openVault } = await import(new URL('../../dist/library.js', import.meta.url).href)
  const opened = await openVault(vault)
  const search = async (query) => {
    const startedAt = performance.now()
    await opened.notebook.index.search({ query, limit: 20, explain: true })
    return performance.now() - startedAt
  }
  await page.locator('.page-side-nav').getByRole('button', { name: 'Search' }).click()
  const type = (query) =>
    page.evaluate(async (text) => {
      const field = document.querySelector('.nw-search-field')
      const view = document.querySelector('.nw-search')
      const startedAt = performance.now()
      const drawn = new Promise((resolve) => {
        const observer = new MutationObserver(() => {
          if (!/\d+ found|No notes match/.test(view.querySelector('[role=status]').textContent)) return
          observer.disconnect()
          resolve(performance.now() - startedAt)
        })
        observer.observe(view, { childList: true, subtree: true, characterData: true })
      })
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, text)
      field.dispatchEvent(new InputEvent('input', { bubbles: true }))
      return drawn
    }, query)
  const empty = async () => {
    await page.locator('.nw-search-field').fill('')
    await page.waitForFunction(() => document.querySelectorAll('.nw-hits li').length === 0)
  }
  const [here, there] = [[], []]
  // By turns, so that whatever else the machine does falls on both; the first are not counted.
  for (const [at, query] of queries.entries()) {
    const [inProcess, typed] = [await search(query), await type(query)]
    await empty()
    if (at < 20) continue
    here.push(inProcess)
    there.push(typed)
  }
  await opened.close()
  const added = percentile(there, 0.95) - percentile(here, 0.95)
  return {
    'search at 10k in this process, p50, p95 (ms)': `${percentile(here, 0.5).toFixed(1)}, ${percentile(here, 0.95).toFixed(1)}`,
    'from a key to its results, p50, p95 (ms)': `${percentile(there, 0.5).toFixed(1)}, ${percentile(there, 0.95).toFixed(1)}`,
    'added at p95 (ms, at most 30)': added,
  }
}
