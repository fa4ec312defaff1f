export { type FileNames, fileNames } from './file-names.js'
export { linkKey } from './link-key.js'
export { linksToRetarget } from './links-to-retarget.js'

export { type MoveImpact, type MovePlan, planMove } from './move/plan-move.js'
export { formOf, resolveLink } from './resolve-link.js'
export { resolvedLinks } from './resolved-links.js'
