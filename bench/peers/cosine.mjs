import { DatabaseSync } from './sqlite.mjs'

const dimension = 384

/** Vectors of random numbers, the same every time: the time of an exact search does not depend on what they mean. */
export function randomVectors(count, random) {
  return Array.from({ length: count }, () => Float32Array.from({ length: dimension }, () => random.uniform() * 2 - 1))
}

/** As the commissioned server did it: every row from SQLite, every blob to an array, every score sorted. */
export function cosineFromRows(vectors) {
  const database = new DatabaseSync(':memory:')
  database.exec('CREATE TABLE chunks (id INTEGER PRIMARY KEY, content TEXT, embedding BLOB)')
  const insert = database.prepare('INSERT INTO chunks (content, embedding) VALUES (?, ?)')
  database.exec('BEGIN')
  for (const vector of vectors) insert.run('', Buffer.from(vector.buffer))
  database.exec('COMMIT')

  return (query, limit) =>
    database
      .prepare('SELECT id, content, embedding FROM chunks WHERE embedding IS NOT NULL')
      .all()
      .map(({ id, embedding }) => ({ id, score: cosine(query, numbersOf(embedding)) }))
      .sort((a, b) => b.score - a.score)
      .slice(0, limit)
}

/** The same sums over one array that stays in memory. */
export function cosineResident(vectors) {
  const all = new Float32Array(vectors.length * dimension)
  vectors.forEach((vector, at) => {
    const length = Math.hypot(...vector)
    for (let i = 0; i < dimension; i++) all[at * dimension + i] = vector[i] / length
  })
  return (query, limit) => {
    const scores = new Float32Array(vectors.length)
    for (let at = 0, from = 0; at < scores.length; at++, from += dimension) {
      let sum = 0
      for (let i = 0; i < dimension; i++) sum += all[from + i] * query[i]
      scores[at] = sum
    }
    return best(scores, limit)
  }
}

/** The positions of the highest scores, in one pass. */
export function best(scores, limit) {
  const kept = []
  for (let at = 0; at < scores.length; at++) {
    if (kept.length === limit && scores[at] <= kept[limit - 1].score) continue
    let place = kept.length
    while (place > 0 && kept[place - 1].score < scores[at]) place--
    kept.splice(place, 0, { id: at, score: scores[at] })
    if (kept.length > limit) kept.pop()
  }
  return kept
}

function numbersOf(blob) {
  const numbers = []
  for (let at = 0; at < blob.length; at += 4) numbers.push(blob.readFloatLE(at))
  return numbers
}

function cosine(a, b) {
  let product = 0
  let lengthA = 0
  let lengthB = 0
  for (let i = 0; i < a.length; i++) {
    product += a[i] * b[i]
    lengthA += a[i] * a[i]
    lengthB += b[i] * b[i]
  }
  return product / (Math.sqrt(lengthA) * Math.sqrt(lengthB))
}
