export { embedPassages, embedQuery } from './embed.js'
export type { Embedder } from './embedder.js'
export type { FitInput } from './fit-lsa.js'
export { fitLsa } from './fit-lsa.js'

export { fitLimit, sampleUnits, shouldRefit } from './growth.js'
export { knowledgeOf } from './knowledge-of-query.js'
export type { LsaModel } from './lsa-model.js'

export { decodeModel, encodeModel } from './model-blob.js'
export { projectQuery, projectUnit } from './project-into-model.js'

export { quantise } from './quantise.js'

export type { QueryVector, VectorBlock } from './vector-block.js'
export { emptyVectors, openVectors, packVectors } from './vector-block.js'
