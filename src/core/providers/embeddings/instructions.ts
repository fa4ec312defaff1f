/** What a model was trained to read before a text, so that it can tell what is asked from what may answer. */
interface Instructions {
  model: RegExp
  query: string
  passage: string
}

// As the cards of the models say. Models that are not named here take texts as they are.
const known: readonly Instructions[] = [
  { model: /nomic-embed/, query: 'search_query: ', passage: 'search_document: ' },
  { model: /(^|[^a-z0-9])e5-|multilingual-e5/, query: 'query: ', passage: 'passage: ' },
  { model: /embeddinggemma|embedding-gemma/, query: 'task: search result | query: ', passage: 'title: none | text: ' },
  {
    model: /mxbai-embed|arctic-embed|bge-(small|base|large)-en/,
    query: 'Represent this sentence for searching relevant passages: ',
    passage: '',
  },
  {
    model: /qwen3-embedding/,
    query: 'Instruct: Given a question, retrieve passages that answer it\nQuery: ',
    passage: '',
  },
]

export function instructed(modelId: string, as: 'query' | 'passage', text: string): string {
  const name = modelId.toLowerCase()
  const found = known.find(({ model }) => model.test(name))
  return found === undefined ? text : `${found[as]}${text}`
}
