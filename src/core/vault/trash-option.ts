/** Where Obsidian puts deleted notes: the system's trash, `.trash` in the vault, or nowhere. */
export type TrashOption = 'system' | 'local' | 'none'

/**
 * What Obsidian's `app.json` says about deleting. The file comes with the vault and may hold anything, so whatever is
 * not understood means `.trash`: a deleted note stays where the person can find it.
 */
export function trashOption(appJson: string): TrashOption {
  const settings = parsed(appJson)
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) return 'local'
  // Obsidian leaves out what is set to its default.
  const option = Object.hasOwn(settings, 'trashOption') ? (settings as { trashOption: unknown }).trashOption : 'system'
  return option === 'system' || option === 'none' ? option : 'local'
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}
