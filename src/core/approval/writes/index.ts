export { audienceChanges } from './audience-changes.js'
export { changedTexts, setToLookAt } from './changed-texts.js'
export { addedAddresses } from './loaded-addresses.js'
