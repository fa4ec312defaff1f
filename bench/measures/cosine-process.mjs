// One way of searching vectors in a process of its own: `node cosine-process.mjs WAY COUNT` prints the timings.
import { bundled } from '../bundled.mjs'
import { best, cosineFromRows, cosineResident, randomVectors } from '../peers/cosine.mjs'
import { seededRandom } from '../vaults/random.mjs'

const [way, count] = process.argv.slice(2)
const random = seededRandom(11)
const search = await {
  'rows from SQLite, sorted': cosineFromRows,
  'one resident Float32Array': cosineResident,
  Notewright: ours,
}[way](randomVectors(Number(count), random))

const queries = randomVectors(way.startsWith('rows') ? 10 : 30, random)
search(queries[0], 10)
const timings = queries.map((query) => {
  const start = performance.now()
  search(query, 10)
  return performance.now() - start
})
process.stdout.write(JSON.stringify(timings))

/** The product's own kernel, bundled from its source: eight-bit vectors in one block. */
async function ours(vectors) {
  const { packVectors, openVectors, quantise } = await bundled('src/core/index/semantic/vector-block.ts')
  const dimension = vectors[0].length
  const packed = {
    model: 'random',
    dimension,
    vectors: new Int8Array(vectors.length * dimension),
    scales: new Float32Array(vectors.length),
  }
  vectors.forEach((vector, at) => {
    const { values, scale } = quantise(vector)
    packed.vectors.set(values, at * dimension)
    packed.scales[at] = scale
  })
  const block = openVectors(packVectors(packed))
  const scores = new Float32Array(vectors.length)
  return (query, limit) => {
    block.dotAll({ model: 'random', dimension, ...quantise(query) }, scores)
    return best(scores, limit)
  }
}
