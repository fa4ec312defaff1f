import { openVectors, packVectors, type VectorBlock } from '../semantic/index.js'

/**
 * Every so many rows of a block, side by side, so that one scan scores them all: reading them one by one where they
 * stand would cost more than the rest of a short query. Kept with the block, which never changes.
 */
export function vectorSample(block: VectorBlock, from: number, to: number, step: number): VectorBlock {
  const known = samples.get(block)?.find((kept) => kept.from === from && kept.to === to && kept.step === step)
  if (known !== undefined) return known.sample
  const { dimension, model } = block
  const count = Math.ceil((to - from) / step)
  const vectors = new Int8Array(count * dimension)
  const scales = new Float32Array(count)
  for (let at = 0; at < count; at++) {
    const row = from + Math.floor(at * step)
    vectors.set(block.vectors.subarray(row * dimension, (row + 1) * dimension), at * dimension)
    scales[at] = block.scales[row]
  }
  const sample = openVectors(packVectors({ model, dimension, vectors, scales }))
  // Two of each block are in use: its notes' and its chunks'.
  samples.set(block, [...(samples.get(block) ?? []).slice(-3), { from, to, step, sample }])
  return sample
}

interface Kept {
  from: number
  to: number
  step: number
  sample: VectorBlock
}

const samples = new WeakMap<VectorBlock, Kept[]>()
