// The engine as one module, bundled from its source for this run.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { loadBundle } from '../../scripts/bundle.mjs'
import { repository } from '../data.mjs'

export const loadEngine = (root = repository) =>
  loadBundle({
    source: Object.entries(engineModules(root))
      .map(([name, module]) => `export { ${name} } from '${module}'`)
      .join('\n'),
    root,
  })

/** Names of the engine and the modules they are in, also in a checkout from before `core/index`. */
export function engineModules(root) {
  const isOld = existsSync(join(root, 'src/core/vault-index/engine/index.ts'))
  const at = (path, old) => `./src/core/${isOld ? `vault-index/${old}` : `index/${path}`}.js`
  return {
    rank: at('engine/rank', 'engine/index'),
    openSegment: at('engine/segment', 'engine/index'),
    segmentBuilder: at('engine/build-segment', 'engine/index'),
    fitInput: at('engine/segment-vectors', 'engine/index'),
    segmentVectors: at('engine/segment-vectors', 'engine/index'),
    [isOld ? 'defaultRecipe as defaultWeights' : 'defaultWeights']: at('engine/ranking-weights', 'engine/recipe'),
    fitLsa: at('semantic/fit-lsa', 'semantic/index'),
    encodeModel: at('semantic/lsa-model', 'semantic/index'),
    decodeModel: at('semantic/lsa-model', 'semantic/index'),
    openVectors: at('semantic/vector-block', 'semantic/index'),
    answerSearch: at('search', 'answer-search'),
    noteFacts: at('note-facts', 'note-facts'),
    passesFilter: at('note-facts', 'note-facts'),
    parseNote: './src/core/markdown/parse-note.js',
  }
}
