import type { TitledBy } from './session-store.js'

const strength: readonly (TitledBy | undefined)[] = [undefined, 'words', 'model', 'person']

/** Whether a title may take the place of the one that is there; the person may always change their mind. */
export const isStronger = (by: TitledBy, than: TitledBy | undefined): boolean =>
  by === 'person' || strength.indexOf(by) > strength.indexOf(than)
