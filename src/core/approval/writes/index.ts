export { audienceChanges } from './audience-changes.js'
export { changedTexts, setToLookAt } from './changed-texts.js'
export { inertText, tamedText } from './inert-text.js'
export { addedAddresses } from './loaded-addresses.js'
