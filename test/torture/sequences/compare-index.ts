import { memoryStore, type Notebook, openNotebook } from '../../../src/core/index/index.js'

const words = ['hub', 'apples', 'cherries', 'edited', 'added', 'made', 'person', 'elderberries']

/** Asking for all words takes longer than everything else in a sequence; over many of them each has its turn. */
const searchedAtATime = 2

/** Returns the differences between a notebook's index and a new one of the same notes. */
export async function compareIndex(notebook: Notebook, pick: number): Promise<string[]> {
  const saidFresh = (await notebook.freshness()) === 'fresh'
  if (!saidFresh) await notebook.update({ vectors: false })
  const fresh = await openNotebook({ vault: notebook.vault, store: memoryStore() })
  await fresh.update({ vectors: false })
  const searched = Array.from({ length: searchedAtATime }, (_, at) => words[(pick + at) % words.length])
  const [answers, wanted] = [await ask(notebook, searched), await ask(fresh, searched)]
  await fresh.close()
  return Object.keys(wanted)
    .filter((question) => answers[question] !== wanted[question])
    .map((question) => {
      const how = saidFresh ? 'which called itself fresh' : 'after it was brought up to date'
      return `the index, ${how}, answers ${question} with ${answers[question]} instead of ${wanted[question]}`
    })
}

async function ask({ index }: Notebook, searched: string[]): Promise<Record<string, string>> {
  const answers: Record<string, unknown> = {
    files: await index.files(),
    notes: await index.notes(),
    tags: await index.tags(),
    unresolved: await index.unresolved(),
    orphans: await index.orphans(),
  }
  for (const { path } of await index.notes()) answers[`links of ${path}`] = await index.linksFrom(path)
  for (const query of searched) {
    const { hits } = await index.search({ query, limit: 50 })
    answers[`search for ${query}`] = hits.map(({ path }) => path).sort()
  }
  return Object.fromEntries(Object.entries(answers).map(([question, answer]) => [question, asText(answer)]))
}

/** A note that was read again has another number, and one that was known before was made before. */
function asText(answer: unknown): string {
  return JSON.stringify(answer, (key, value) => (key === 'id' || key === 'createdMs' ? undefined : value))
}
